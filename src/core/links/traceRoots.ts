import type { TraceReader } from '../traces';
import type { TraceRoot } from './context';
import { type Frame, framesIn, isForeign } from './frames';
import type { LinkIndex } from './linkIndex';

const MOST_STEPS = 400;
/** Frames that must agree before a root is believed. */
const LEAST_FRAMES = 1;

/**
 * Where folders of the machine that made a run lie in the harness: those stated in `harness.json` first, then what most
 * frames of its tracebacks agree on, whose file and function are both in the harness.
 */
export async function rootsOf(index: LinkIndex, reader: TraceReader): Promise<TraceRoot[]> {
  const votes = new Map<string, TraceRoot>();
  for (let n = 1; n <= Math.min(MOST_STEPS, reader.stepCount); n += 1) {
    const step = await reader.step(n);
    for (const text of [step.text, ...step.results.map((result) => result.text)]) {
      for (const frame of framesIn(text)) addVote(index, frame, votes);
    }
  }
  const found = [...votes.values()].filter(({ frames }) => frames >= LEAST_FRAMES);
  found.sort((left, right) => right.frames - left.frames || right.prefix.length - left.prefix.length);
  const taken = new Set(index.traceRoots.map(({ prefix }) => prefix));
  return [...index.traceRoots, ...found.filter(({ prefix }) => !taken.has(prefix)).slice(0, 8)];
}

/** A frame votes for a root when its function stands at its line in the one file that ends like its path. */
function addVote(index: LinkIndex, frame: Frame, votes: Map<string, TraceRoot>): void {
  if (isForeign(frame) || frame.name === null || !/^(\/|[A-Za-z]:)/.test(frame.path)) return;
  const files = index.files.endingLike(frame.path);
  const [only] = files;
  if (files.length !== 1 || only === undefined) return;
  if (index.graph.enclosing(only.file, frame.line)?.name !== frame.name) return;
  const path = frame.path.replaceAll('\\', '/');
  let [inPath, inFile] = [path, only.file];
  for (;;) {
    const [left, right] = [inPath.split('/').at(-1), inFile.split('/').at(-1)];
    if (inFile === '' || left !== right) break;
    inPath = inPath.slice(0, Math.max(0, inPath.lastIndexOf('/')));
    inFile = inFile.includes('/') ? inFile.slice(0, inFile.lastIndexOf('/')) : '';
  }
  if (inPath === '') return;
  const key = `${inPath}\0${inFile}`;
  const root = votes.get(key) ?? { prefix: inPath, folder: inFile, from: 'found' as const, frames: 0 };
  votes.set(key, { ...root, frames: root.frames + 1 });
}
