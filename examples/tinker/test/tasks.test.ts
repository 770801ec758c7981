import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listTasks } from '../measure/bench.ts';
import type { Facts, Script } from '../model/script.ts';
import { scripts } from '../model/scripts.ts';
import { ToolRegistry } from '../src/tools/registry.ts';
import { verify } from '../src/trial.ts';
import { folderWith, shippedConfig, tasksDir } from './support.ts';

const names = await listTasks(tasksDir);
const config = shippedConfig();
const registry = new ToolRegistry(config.tools);

async function workCopy(task: string): Promise<string> {
  const workDir = await folderWith();
  await cp(join(tasksDir, task, 'files'), workDir, { recursive: true });
  return workDir;
}

async function scriptOf(task: string): Promise<Script> {
  const title = (await readFile(join(tasksDir, task, 'instruction.md'), 'utf8')).split('\n')[0];
  const script = scripts.find((candidate) => candidate.title === title);
  if (!script) throw new Error(`no script for ${task}`);
  return script;
}

const own = await Promise.all(names.map(scriptOf));

/** Does the whole script with full outputs, carefully or carelessly. */
async function work(script: Script, workDir: string, careless: boolean): Promise<void> {
  let shown = '';
  for (const intent of script.intents) {
    const facts: Facts = Object.fromEntries(
      Object.entries(script.facts ?? {}).map(([name, { pattern, guess }]) => [
        name,
        [...shown.matchAll(pattern)].at(-1)?.[1] ?? guess,
      ]),
    );
    const call = careless && intent.careless ? intent.careless(facts) : intent.call(facts);
    const { output } = await registry.run(call.tool, call.args, { workDir, config });
    if (intent.kind === 'look') shown += `\n${output}`;
  }
}

describe('tasks', () => {
  it('are at least sixteen, each with a script of its own', async () => {
    expect(names.length).toBeGreaterThanOrEqual(16);
    expect(new Set(own).size).toBe(names.length);
    expect(scripts).toHaveLength(names.length);
  });

  it.each(names)('%s: untouched files fail, solved ones pass', async (task) => {
    const workDir = await workCopy(task);
    expect((await verify(join(tasksDir, task), workDir)).reward).toBe(0);
    await work(await scriptOf(task), workDir, false);
    expect((await verify(join(tasksDir, task), workDir)).reward).toBe(1);
  });

  it.each(names.filter((_, index) => own[index]?.intents.some((intent) => intent.careless)))(
    '%s: careless work fails',
    async (task) => {
      const script = await scriptOf(task);
      const workDir = await workCopy(task);
      await work(script, workDir, true);
      expect((await verify(join(tasksDir, task), workDir)).reward).toBe(0);
    },
  );
});
