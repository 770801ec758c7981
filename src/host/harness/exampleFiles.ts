import { z } from 'zod';
import { InputError } from '../../core/errors';

/** One text file of the example, its path relative to the example's root. */
export interface ExampleFile {
  path: string;
  text: string;
}

const Packed = z.record(z.string(), z.string());

/**
 * Reads the packed example of the VSIX (`dist/example.json`, written by the build): its files in order of path.
 * @throws InputError when the pack is damaged or a path leads out of the example.
 */
export function readPackedExample(packed: string): ExampleFile[] {
  const files = Object.entries(Packed.parse(JSON.parse(packed)));
  return files
    .map(([path, text]) => ({ path, text }))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
    .map((file) => {
      const inside = !/^[/\\]|\\|^[a-z]:/i.test(file.path) && !file.path.split('/').includes('..');
      if (inside && file.path) return file;
      throw new InputError(`The packed example holds the path "${file.path}", which leads out of it.`, {
        code: 'example-damaged',
        nextStep: 'Install the extension again.',
      });
    });
}
