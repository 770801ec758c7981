import { readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { addToCatalog, loadCatalog, measureRun, openTrace } from '../../src/core/traces';

/** One measured piece of work: milliseconds on the clock and of the processors, and the largest resident set so far. */
export interface Measure {
  name: string;
  wall: number;
  cpu: number;
  memory: number;
}

/** Reads a file in pieces, as fast as it can be read. */
async function readThrough(file: string): Promise<number> {
  const handle = await open(file, 'r');
  const buffer = Buffer.alloc(1024 * 1024);
  let size = 0;
  for (;;) {
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, null);
    if (bytesRead === 0) break;
    size += bytesRead;
  }
  await handle.close();
  return size;
}

/** What a process of its own measures; every part prints a line of JSON. */
export const parts: Record<string, (file: string, root: string) => Promise<void>> = {
  /** Reading and parsing the file, to compare with. */
  async parse(file) {
    await timed('read', () => readThrough(file));
    await timed('JSON.parse of all of it', async () => {
      const text = readFileSync(file, 'utf8');
      if (!file.endsWith('.jsonl')) return JSON.parse(text);
      let records = 0;
      for (let from = 0, to = text.indexOf('\n'); to !== -1; from = to + 1, to = text.indexOf('\n', from)) {
        JSON.parse(text.slice(from, to));
        records += 1;
      }
      return records;
    });
  },
  async import(file, root) {
    await timed('import', () => addToCatalog(root, [file]));
  },
  async open(file, root) {
    await timed('read', () => readThrough(file));
    const { runs } = await timed('list', () => loadCatalog(root));
    const run = runs.find((one) => one.file === file);
    if (run === undefined) throw new Error(`${file} was not imported`);
    const reader = await timed('open and first 200 rows', async () => {
      const opened = await openTrace(run);
      await opened.summaries(1, 200);
      return opened;
    });
    const times: number[] = [];
    for (let at = 0; at < 500; at += 1) {
      const began = performance.now();
      await reader.step(1 + ((at * 7919) % reader.stepCount));
      times.push(performance.now() - began);
    }
    times.sort((a, b) => a - b);
    tell({ name: 'random step p50', wall: times[250], cpu: Number.NaN });
    tell({ name: 'random step p95', wall: times[475], cpu: Number.NaN });
    await reader.close();
  },
  async relate(file, root) {
    const { runs } = await loadCatalog(root);
    const reader = await openTrace(runs.find((one) => one.file === file) ?? runs[0]);
    await timed('relations and numbers of all steps', () => measureRun(reader));
    await reader.close();
  },
  /** The list of a folder of runs: first without, then with the heads of last time. */
  async list(folder, root) {
    const { runs } = await timed('list, cold', () => addToCatalog(root, [folder]));
    await timed('list, warm', () => loadCatalog(root));
    tell({ name: 'runs listed', wall: runs.length, cpu: Number.NaN });
  },
  async idle() {
    tell({ name: 'idle', wall: 0, cpu: 0 });
  },
};

async function timed<T>(name: string, work: () => Promise<T>): Promise<T> {
  const [began, usage] = [performance.now(), process.cpuUsage()];
  const result = await work();
  const { user, system } = process.cpuUsage(usage);
  tell({ name, wall: performance.now() - began, cpu: (user + system) / 1000 });
  return result;
}

function tell(measure: Omit<Measure, 'memory'>): void {
  console.log(JSON.stringify({ ...measure, memory: process.resourceUsage().maxRSS / 1024 }));
}
