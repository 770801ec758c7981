import { createZstdDecompress } from 'node:zlib';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { InputError, messageOf } from '../../errors';

/** Largest member that is unpacked. More than this from one member is a bomb or no trace. */
export const MEMBER_CAP = 256 * 1024 * 1024;
const MOST_MEMBERS = 200_000;
const ZSTANDARD = 93;

/**
 * A zip file, read member by member into memory; nothing is ever written to disk. Knows stored, deflate and
 * Zstandard (method 93, as current Inspect writes). Sizes are counted while unpacking, since declared ones may lie.
 */
export class Archive {
  /** Names that lead out of the archive (`..`, absolute ones); such members are not read. */
  readonly refused: string[] = [];
  private readonly entries = new Map<string, Entry>();

  private constructor(
    private readonly file: string,
    private readonly zip: ZipFile,
  ) {}

  /** Opens an archive and lists its members. Throws {@link InputError} `archive-unreadable` when it is damaged. */
  static async open(file: string): Promise<Archive> {
    let zip: ZipFile | undefined;
    try {
      zip = await yauzl.openPromise(file, { lazyEntries: true, autoClose: false, decodeStrings: false });
      if (zip.entryCount > MOST_MEMBERS) throw new Error(`it has ${zip.entryCount} members`);
      const archive = new Archive(file, zip);
      for await (const entry of zip.eachEntry()) archive.add(entry);
      return archive;
    } catch (error) {
      zip?.close();
      throw unreadable(file, messageOf(error), error);
    }
  }

  private add(entry: Entry): void {
    const name = yauzl.getFileNameLowLevel(
      entry.generalPurposeBitFlag,
      entry.fileNameRaw,
      yauzl.parseExtraFields(entry.extraFieldRaw),
      false,
    );
    if (yauzl.validateFileName(name) !== null) this.refused.push(name);
    // A name may occur twice when a writer replaced a member; the last one counts.
    else if (!name.endsWith('/')) this.entries.set(name, entry);
  }

  /** Names of the members, in the order of the archive. */
  get names(): string[] {
    return [...this.entries.keys()];
  }

  has(name: string): boolean {
    return this.entries.has(name);
  }

  /** The unpacked bytes of a member. Throws {@link InputError} when it is missing, damaged or over the cap. */
  async bytes(name: string): Promise<Buffer> {
    const entry = this.entries.get(name);
    if (entry === undefined) throw unreadable(this.file, `it has no member ${name}`);
    try {
      return await this.unpack(entry);
    } catch (error) {
      throw unreadable(this.file, `${name}: ${messageOf(error)}`, error);
    }
  }

  private async unpack(entry: Entry): Promise<Buffer> {
    const zstandard = entry.compressionMethod === ZSTANDARD;
    const packed = await this.zip.openReadStreamPromise(entry, zstandard ? { decodeFileData: false } : {});
    const stream = zstandard ? packed.pipe(createZstdDecompress()) : packed;
    if (zstandard) packed.on('error', (error) => stream.destroy(error));
    const pieces: Buffer[] = [];
    let size = 0;
    try {
      for await (const piece of stream) {
        if (!Buffer.isBuffer(piece)) continue;
        size += piece.length;
        if (size > MEMBER_CAP) throw new Error(`it unpacks to more than ${MEMBER_CAP / 1024 / 1024} MB`);
        pieces.push(piece);
      }
    } finally {
      packed.destroy();
    }
    return Buffer.concat(pieces);
  }

  close(): void {
    this.zip.close();
  }
}

function unreadable(file: string, what: string, cause?: unknown): InputError {
  return new InputError(`Cannot read the archive ${file}: ${what}.`, {
    code: 'archive-unreadable',
    nextStep: 'Check that the file was written to its end; copy it again if it comes from elsewhere.',
    cause,
  });
}
