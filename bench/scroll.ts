// Scrolls a long trace in a real editor: npm run bench -- scroll [--steps 12000] [--megabytes 100]
// Writes a synthetic run of uneven steps, opens it in the trace page, and measures the time to the first rows, the frames
// while scrolling, and memory. The frames of the same page standing still, and JSON.parse of the same file, are measured in
// the same run: a loaded machine slows all of them.
import { execFileSync } from 'node:child_process';
import { createWriteStream, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Frame } from 'playwright-core';
import type { Workbench } from '../scripts/editor/index.d.mts';

const { values } = parseArgs({
  options: { steps: { type: 'string', default: '12000' }, megabytes: { type: 'string', default: '100' } },
});
const steps = Number(values.steps);
const bytesOfStep = (Number(values.megabytes) * 1024 * 1024) / steps;

/** A number that looks random and is the same in each run. */
function spread(n: number): number {
  return ((n * 2654435761) % 4294967296) / 4294967296;
}

async function writeTrace(file: string): Promise<void> {
  const out = createWriteStream(file);
  for (let n = 1; n <= steps; n++) {
    // Most steps are short and some are very long, as in real runs.
    const length = Math.round(bytesOfStep * (spread(n) < 0.2 ? 4 : 0.25));
    const text = `step ${n} ${'the harness wrote this line of output \n'.repeat(Math.ceil(length / 40))}`.slice(
      0,
      length,
    );
    const agent = n % 2 === 0;
    const content = agent
      ? [
          { type: 'text', text },
          { type: 'tool_use', id: `t${n}`, name: 'shell', input: { command: `cat file${n}.txt` } },
        ]
      : [
          n === 1
            ? { type: 'text', text }
            : { type: 'tool_result', tool_use_id: `t${n - 1}`, content: text, is_error: spread(n + 7) < 0.03 },
        ];
    const record = {
      uuid: `u${n}`,
      parentUuid: n === 1 ? null : `u${n - 1}`,
      sessionId: 'long',
      type: agent ? 'assistant' : 'user',
      timestamp: new Date(Date.UTC(2026, 0, 2) + n * 1000).toISOString(),
      message: { id: `m${n}`, role: agent ? 'assistant' : 'user', model: 'synthetic', content },
    };
    if (!out.write(`${JSON.stringify(record)}\n`))
      await new Promise<void>((resolve) => out.once('drain', () => resolve()));
  }
  await new Promise<void>((resolve) => out.end(() => resolve()));
}

/** Milliseconds between frames while the list is moved by `pixels` each frame. Runs in the page, so it is sent as text. */
function frames(frame: Frame, pixels: number, count: number): Promise<number[]> {
  return frame.evaluate(`new Promise((resolve) => {
    const list = document.querySelector('.rows');
    const times = [];
    let last = performance.now();
    const next = () => {
      const now = performance.now();
      times.push(now - last);
      last = now;
      list.scrollTop += ${pixels};
      if (times.length < ${count}) requestAnimationFrame(next);
      else resolve(times.slice(1));
    };
    requestAnimationFrame(next);
  })`);
}

function percentile(numbers: readonly number[], share: number): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}

/** Megabytes that the extension host holds, workers included; null where the system does not tell. */
function hostMegabytes(): number | null {
  try {
    const table = execFileSync('ps', ['-eo', 'rss=,args='], { encoding: 'utf8' });
    const rows = table.split('\n').filter((row) => row.includes('type=extensionHost'));
    const sizes = rows.map((row) => Number(row.trim().split(/\s+/)[0]) / 1024);
    return sizes.length > 0 ? Math.max(...sizes) : null;
  } catch {
    return null;
  }
}

async function traceFrame({ page }: Workbench): Promise<Frame> {
  for (;;) {
    for (const frame of page.frames()) if (await frame.$('.rows .step').catch(() => null)) return frame;
    await page.waitForTimeout(20);
  }
}

const folder = mkdtempSync(join(tmpdir(), 'harnessmith-scroll-'));
const root = join(folder, 'tinker');
mkdirSync(root);
const { copyExample, openWorkbench } = await import(join(process.cwd(), 'scripts', 'editor', 'index.mjs'));
copyExample(root);
rmSync(join(root, 'traces'), { recursive: true });
mkdirSync(join(root, 'traces'));
const file = join(root, 'traces', 'long.jsonl');
await writeTrace(file);
const began = performance.now();
for (const line of readFileSync(file, 'utf8').split('\n')) if (line) JSON.parse(line);
const parse = performance.now() - began;

const workbench: Workbench = await openWorkbench(root, { size: { width: 1400, height: 900 } });
try {
  const { page } = workbench;
  await page.locator('.activitybar a[aria-label^="Harnessmith"]').click();
  // The run has no task, so it lies in a folded group.
  const group = page.getByRole('treeitem', { name: /^no task recorded/ }).first();
  await group.click({ timeout: 180_000 });
  const row = page.getByRole('treeitem', { name: /long\.jsonl/ }).first();
  await row.waitFor();
  // The list and the map are there; what is left to measure is the page.
  await page.waitForTimeout(5000);
  const idle = hostMegabytes();
  const opened = performance.now();
  await row.click();
  const frame = await traceFrame(workbench);
  const first = performance.now() - opened;
  await page.waitForTimeout(3000);
  const early = await frames(frame, 260, 400);
  await frame.waitForSelector('.outline .entry', { timeout: 180_000 });
  const outline = performance.now() - opened;
  await page.waitForTimeout(3000);
  const still = await frames(frame, 0, 300);
  const scrolled = await frames(frame, 260, 600);
  await frame.evaluate("document.querySelector('.rows').scrollTop = 0");
  const flung = await frames(frame, 4000, 300);
  const nodes = await frame.evaluate<number>("document.querySelectorAll('*').length");
  const heap = (await frame.evaluate<number>('performance.memory?.usedJSHeapSize ?? 0')) / 2 ** 20;
  const held = hostMegabytes();
  const say = (name: string, times: readonly number[]) =>
    console.log(
      `${name}: p50 ${percentile(times, 0.5).toFixed(1)} ms, p95 ${percentile(times, 0.95).toFixed(1)} ms, worst ${Math.max(...times).toFixed(0)} ms`,
    );
  console.log(`${steps} steps, ${values.megabytes} MB; load ${loadavg()[0]!.toFixed(1)}`);
  console.log(
    `JSON.parse of the file ${parse.toFixed(0)} ms; first rows ${first.toFixed(0)} ms, outline ${outline.toFixed(0)} ms after the click`,
  );
  say('standing still', still);
  say('scrolling 260 px a frame', scrolled);
  say('the same while the outline was made', early);
  say('flinging 4,000 px a frame', flung);
  console.log(
    `p95 of scrolling is ${(percentile(scrolled, 0.95) / percentile(still, 0.95)).toFixed(2)}x that of standing still`,
  );
  console.log(
    `page: ${nodes} nodes, ${heap.toFixed(0)} MB of script heap; extension host ${idle?.toFixed(0)} MB before, ${held?.toFixed(0)} MB after`,
  );
} finally {
  await workbench.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
