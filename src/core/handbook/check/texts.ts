import { InputError } from '../../errors';
import { type Harness, readHarnessFile } from '../../harness';
import { linesOf } from '../site';

/** The files of the working tree as lines, each read once. */
export class Texts {
  private readonly texts = new Map<string, Promise<readonly string[] | undefined>>();

  constructor(private readonly harness: Harness) {}

  /** The lines of a file; undefined when it is gone. @throws InputError when the path leads outside the repository. */
  lines(file: string): Promise<readonly string[] | undefined> {
    const known = this.texts.get(file);
    if (known) return known;
    const reading = readHarnessFile(this.harness, file).then(linesOf, (error: unknown) => {
      if (error instanceof InputError && error.code === 'file-missing') return undefined;
      throw error;
    });
    this.texts.set(file, reading);
    return reading;
  }
}
