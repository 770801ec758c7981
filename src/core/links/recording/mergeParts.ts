import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { z } from 'zod';
import { RecordedFunction, RecordedWindow, type RecordingHead } from './model';
import { parseLines } from './parseLines';

const PartLine = z.discriminatedUnion('kind', [
  RecordedFunction,
  RecordedWindow,
  z.object({ kind: z.literal('process'), language: z.string(), pid: z.int(), parent: z.int(), started: z.number() }),
]);

export interface MergedRecording {
  text: string;
  processes: number;
  functions: number;
  /** Model calls, of all streams. */
  calls: number;
}

/**
 * Joins what the processes of a recorded command wrote into one recording: functions numbered through, paths relative to the
 * root, windows in order of time. A last line that a killed process cut is left out, and so is what lies outside the root.
 */
export async function mergeParts(folder: string, head: RecordingHead): Promise<MergedRecording> {
  const ids = new Map<string, number>();
  const lines: string[] = [JSON.stringify(head)];
  const windows: RecordedWindow[] = [];
  let processes = 0;
  for (const name of (await readdir(folder)).filter((one) => one.endsWith('.jsonl')).sort()) {
    const own = new Map<number, number>();
    for (const line of parseLines(await readFile(join(folder, name), 'utf8'), PartLine)) {
      if (line.kind === 'process') {
        processes += 1;
      } else if (line.kind === 'function') {
        const file = relative(head.root, line.file).split(sep).join('/');
        if (file.startsWith('../') || file === '') continue;
        const key = `${file}:${line.line}:${line.name}`;
        let id = ids.get(key);
        if (id === undefined) {
          id = ids.size + 1;
          ids.set(key, id);
          lines.push(JSON.stringify({ ...line, id, file }));
        }
        own.set(line.id, id);
      } else {
        const functions = line.functions.flatMap(([id, count]): [number, number][] => {
          const known = own.get(id);
          return known === undefined ? [] : [[known, count]];
        });
        windows.push({ ...line, functions });
      }
    }
  }
  windows.sort((left, right) => left.from - right.from);
  for (const window of windows) lines.push(JSON.stringify(window));
  const calls = new Set(
    windows.filter(({ phase }) => phase === 'model').map(({ stream, call }) => `${stream}:${call}`),
  );
  return { text: `${lines.join('\n')}\n`, processes, functions: ids.size, calls: calls.size };
}
