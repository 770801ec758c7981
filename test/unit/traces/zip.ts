import { crc32, deflateRawSync, zstdCompressSync } from 'node:zlib';

export interface Member {
  name: string;
  content: unknown;
  method?: 'stored' | 'deflate' | 'zstd';
  /** Unpacked size that the archive claims, where it lies. */
  claims?: number;
}

const METHODS = { stored: 0, deflate: 8, zstd: 93 };

/** A zip file with these members, names as given: also ones that no writer would write. */
export function zip(members: readonly Member[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, method = 'deflate', claims } of members) {
    const plain = Buffer.isBuffer(content)
      ? content
      : Buffer.from(typeof content === 'string' ? content : JSON.stringify(content));
    const packed = method === 'stored' ? plain : method === 'deflate' ? deflateRawSync(plain) : zstdCompressSync(plain);
    const title = Buffer.from(name);
    const about = Buffer.alloc(26);
    about.writeUInt16LE(20, 0);
    about.writeUInt16LE(0x800, 2);
    about.writeUInt16LE(METHODS[method], 4);
    about.writeUInt32LE(crc32(plain), 10);
    about.writeUInt32LE(packed.length, 14);
    about.writeUInt32LE(claims ?? plain.length, 18);
    about.writeUInt16LE(title.length, 22);
    const local = Buffer.concat([Buffer.from('504b0304', 'hex'), about, title, packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('504b0102', 'hex'), Buffer.from([20, 3]), about, rest, title]));
    parts.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('504b0506', 0, 'hex');
  end.writeUInt16LE(members.length, 8);
  end.writeUInt16LE(members.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, central, end]);
}
