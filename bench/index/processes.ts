import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { z } from 'zod';

/** Seconds on the clock and of the processors, and the largest resident set in MB where it is known. */
export interface Run {
  wall: number;
  cpu: number;
  memory: number;
}

/** The first line `ctags --version` prints, or undefined when it is not installed. */
export function ctagsVersion(): string | undefined {
  const { stdout, status } = spawnSync('ctags', ['--version'], { encoding: 'utf8' });
  return status === 0 ? stdout.split('\n')[0] : undefined;
}

/** `ctags -R` on a folder; the shell tells the time of its children. */
export function ctagsRun(folder: string, tags: string): Run {
  const began = performance.now();
  const script = 'ctags -R -f "$1" . 2>/dev/null; times';
  const { stdout } = spawnSync('sh', ['-c', script, 'sh', tags], { cwd: folder, encoding: 'utf8' });
  const wall = (performance.now() - began) / 1000;
  const parts = [...(stdout.trim().split('\n').at(-1) ?? '').matchAll(/(\d+)m([\d.]+)s/g)];
  const cpu = parts.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0);
  return { wall, cpu, memory: Number.NaN };
}

const Usage = z.object({ userCPUTime: z.number(), systemCPUTime: z.number(), maxRSS: z.number() });
const tellUsage =
  "data:text/javascript,process.on('exit',()=>process.stderr.write('usage'+JSON.stringify(process.resourceUsage())))";

/** `harnessmith index` in a process of its own: all of its threads count. @throws when it fails */
export function indexRun(program: string, folder: string): Run {
  const began = performance.now();
  const options = ['--no-warnings', '--import', tellUsage, join(program, 'cli.cjs'), 'index', folder];
  const { stderr, status } = spawnSync(process.execPath, options, { encoding: 'utf8' });
  const wall = (performance.now() - began) / 1000;
  if (status !== 0) throw new Error(`harnessmith index ended with ${status}: ${stderr}`);
  const usage = Usage.parse(JSON.parse(/usage(\{.*\})/.exec(stderr)?.[1] ?? '{}'));
  return {
    wall,
    cpu: (usage.userCPUTime + usage.systemCPUTime) / 1e6,
    memory: usage.maxRSS / 1024,
  };
}
