import { posix } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { type Harness, readHarnessFile, type SuiteConfig, walkFiles } from '../harness';

/** A suite that the repository seems to hold already. */
export interface SuggestedSuite {
  kind: 'pytest' | 'vitest' | 'inspect' | 'harbor' | 'terminal-bench' | 'promptfoo' | 'swe-bench';
  /** Name for `harness.json`. */
  name: string;
  /** What it was recognised by. */
  why: string;
  config: Partial<SuiteConfig> & Pick<SuiteConfig, 'tasks'>;
}

/** Files beyond this size are no list of tasks. */
const mostBytes = 2 * 1024 * 1024;

/**
 * Suites that can be written from what is in the repository, surest first: folders of Harbor or terminal-bench tasks, Inspect
 * tasks with sample ids, promptfoo configurations with described tests, SWE-bench predictions, and evaluations that pytest
 * or vitest runs. Nothing is run.
 */
export async function suggestSuites(harness: Harness): Promise<SuggestedSuite[]> {
  const { files } = await walkFiles(harness);
  const paths = files.filter((file) => file.bytes <= mostBytes).map((file) => file.path);
  const read = (path: string) => readHarnessFile(harness, path);
  return [
    ...taskFolders(paths, 'task.toml', 'harbor'),
    ...taskFolders(paths, 'task.yaml', 'terminal-bench'),
    ...(await inspectTasks(paths, read)),
    ...(await promptfooTests(paths, read)),
    ...(await predictions(paths, read)),
    ...testFiles(paths, 'pytest', /(^|\/)(test_[^/]*|[^/]*_eval)\.py$/, ['python3', '-m', 'pytest', '-q', '{task}']),
    ...testFiles(paths, 'vitest', /\.(eval|test)\.[cm]?[jt]sx?$/, ['npx', 'vitest', 'run', '{task}']),
  ];
}

type Read = (path: string) => Promise<string>;

/** Folders whose sub-folders each hold the file that describes a task. */
function taskFolders(paths: readonly string[], file: string, kind: 'harbor' | 'terminal-bench'): SuggestedSuite[] {
  const folders = new Map<string, number>();
  for (const path of paths) {
    if (posix.basename(path) !== file) continue;
    const parent = posix.dirname(posix.dirname(path));
    if (parent !== '.') folders.set(parent, (folders.get(parent) ?? 0) + 1);
  }
  return [...folders].map(([folder, tasks]) => ({
    kind,
    name: posix.basename(folder),
    why: `${folder} has ${tasks} sub-folders with ${file}`,
    config: { engine: kind, target: folder, tasks: { folder } },
  }));
}

async function inspectTasks(paths: readonly string[], read: Read): Promise<SuggestedSuite[]> {
  const found: SuggestedSuite[] = [];
  for (const path of paths.filter((each) => each.endsWith('.py'))) {
    const text = await read(path);
    if (!/\binspect_ai\b/.test(text)) continue;
    const ids = [...text.matchAll(/\bSample\([^)]*?\bid\s*=\s*(["'])(.+?)\1/gs)].flatMap((match) => match[2] ?? []);
    const name = /^@task\b[^\n]*\n(?:@[^\n]*\n)*\s*def (\w+)/m.exec(text)?.[1];
    if (name === undefined || ids.length === 0) continue;
    found.push({
      kind: 'inspect',
      name,
      why: `${path} declares the Inspect task ${name} with ${ids.length} sample ids`,
      config: { engine: 'inspect', target: `${path}@${name}`, tasks: [...new Set(ids)] },
    });
  }
  return found;
}

const PromptfooTests = z.looseObject({ tests: z.array(z.looseObject({ description: z.string() })).min(1) });

async function promptfooTests(paths: readonly string[], read: Read): Promise<SuggestedSuite[]> {
  const found: SuggestedSuite[] = [];
  for (const path of paths.filter((each) => /(^|\/)promptfooconfig\.ya?ml$/.test(each))) {
    const parsed = PromptfooTests.safeParse(yamlOf(await read(path)));
    if (!parsed.success) continue;
    const tasks = [...new Set(parsed.data.tests.map((test) => test.description))];
    found.push({
      kind: 'promptfoo',
      name: 'promptfoo',
      why: `${path} describes ${tasks.length} tests`,
      config: { engine: 'promptfoo', target: path, tasks },
    });
  }
  return found;
}

function yamlOf(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return undefined; // the tool itself says best what is wrong with it
  }
}

async function predictions(paths: readonly string[], read: Read): Promise<SuggestedSuite[]> {
  const path = paths.find((each) => /(^|\/)preds\.json$/.test(each));
  if (path === undefined) return [];
  const parsed = z.record(z.string(), z.looseObject({ model_patch: z.string() })).safeParse(yamlOf(await read(path)));
  if (!parsed.success) return [];
  const tasks = Object.keys(parsed.data);
  if (tasks.length === 0) return [];
  return [
    {
      kind: 'swe-bench',
      name: 'swe-bench',
      why: `${path} holds predictions for ${tasks.length} instances`,
      config: { engine: 'swe-bench', target: 'SWE-bench/SWE-bench_Verified', arguments: ['-p', path], tasks },
    },
  ];
}

/** Evaluations in a folder called eval or evals, a file a task. */
function testFiles(
  paths: readonly string[],
  kind: 'pytest' | 'vitest',
  fits: RegExp,
  command: string[],
): SuggestedSuite[] {
  const own = paths.filter((path) => /(^|\/)evals?\//.test(path) && fits.test(path)).sort();
  if (own.length === 0) return [];
  return [
    {
      kind,
      name: 'evals',
      why: `${own.length} files that ${kind} runs, such as ${own[0]}`,
      config: { tasks: own, command },
    },
  ];
}
