/** The first page of a repository that holds more than its harness: another program, commands for people, tests, a hook. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renderPages } from '../../../../src/core/handbook';
import type { BuiltHarness } from '../../../fixtureHarness';
import { harnessOf } from './harnessOf';

const loop = `import OpenAI from 'openai';
import { spawn } from 'node:child_process';
import { Scheduler } from './scheduler';

const client = new OpenAI();
const MAX_TURNS = 40;

export class Session {
  messages: unknown[] = [];
  turns = 0;

  fireBeforeHook(event: string): void {
    spawn('sh', ['-c', event]);
  }

  async summarizeSession(): Promise<string> {
    let text = '';
    while (text === '') {
      const answer = await client.chat.completions.create({ model: 'm', messages: this.messages as never });
      this.messages.push(answer);
      this.fireBeforeHook('done');
      text = answer.choices[0]?.message.content ?? '';
    }
    return text;
  }

  async run(task: string): Promise<void> {
    const [_, rest] = task.split(':');
    this.messages.push({ role: 'user', content: rest });
    const scheduler = new Scheduler();
    while (this.turns < MAX_TURNS) {
      this.turns += 1;
      this.fireBeforeHook('turn');
      const answer = await client.chat.completions.create({ model: 'm', messages: this.messages as never });
      const toolCalls = answer.choices[0]?.message.tool_calls ?? [];
      if (toolCalls.length === 0) return;
      const results = await scheduler.schedule(toolCalls);
      this.messages.push(...results);
    }
  }
}

export async function main(): Promise<void> {
  await new Session().run(process.argv[2] ?? '');
}
`;

const scheduler = `import { spawnSync } from 'node:child_process';

export const shellTool = {
  name: 'run_shell',
  description: 'Runs a command in a shell',
  parameters: { type: 'object', properties: { command: { type: 'string' } } },
  execute: (command: string) => spawnSync('sh', ['-c', command]).stdout.toString(),
};

export class Scheduler {
  async schedule(toolCalls: { arguments: string }[]): Promise<unknown[]> {
    return toolCalls.map((call) => this.executeOne(call));
  }

  private executeOne(call: { arguments: string }): unknown {
    return { role: 'tool', content: shellTool.execute(call.arguments) };
  }
}
`;

const files = {
  'package.json': '{ "name": "workspace", "private": true }',
  'packages/agent/package.json': '{ "name": "agent", "bin": "src/loop.ts" }',
  'packages/agent/src/loop.ts': `${loop}\nawait main();\n`,
  'packages/agent/src/scheduler.ts': scheduler,
  'packages/agent/src/commands/clear.ts':
    "export class ClearCommand {\n  name = 'clear';\n  description = 'Clears the screen';\n  parameters = {};\n  execute(): void {}\n}\n" +
    "export const clearCommand = {\n  name: 'clear_all',\n  description: 'Clears everything',\n  parameters: {},\n  execute: () => undefined,\n};\n",
  'packages/agent/src/loop.test.ts':
    "export const fake = { name: 'get_weather', description: 'Weather', parameters: {}, execute: () => 'sun' };\n",
  'apps/bot/requirements.txt': 'openai\n',
  'apps/bot/worker.py':
    'import subprocess\n\nMAX_STEPS = 7\n\n\ndef execute_command(command):\n    """Executes a shell command in the sandbox."""\n    return subprocess.run(command, shell=True, timeout=3)\n',
};

describe('the first page', () => {
  let harness: BuiltHarness;
  let page: string;
  beforeAll(async () => {
    harness = await harnessOf(files);
    page = renderPages(harness.map, harness.graph, harness.harness.root)[0]?.markdown ?? '';
  });
  afterAll(() => harness.remove());

  it('turns in the loop that hands the calls of the answer on, not in one that a hook makes look like it', () => {
    expect(page).toContain('turns in `Session.run`');
    expect(harness.map.loops).toHaveLength(1);
    expect(page).toMatch(/Tool dispatch: .*\n/);
    expect(/- Tool dispatch: .*/.exec(page)?.[0]).not.toMatch(/Hook/);
  });

  it('leaves out what another program of the repository does', () => {
    const places = page.split('## Where things are')[1]?.split('\n## ')[0] ?? '';
    expect(places).not.toContain('worker.py');
    expect(page).not.toContain('MAX_STEPS');
    expect(page).toContain('MAX\\_TURNS');
    const apart = harness.map.units.filter((unit) => unit.apart === true).flatMap((unit) => unit.sites);
    expect(apart.map((site) => site.file)).toContain('apps/bot/worker.py');
  });

  it('names the tools of the model and counts what tests and commands declare', () => {
    expect(page).toContain('Tools for the model: `run_shell`\n');
    expect(page).toMatch(/Declared for others \(.*\): \d+ name/);
    const names = (harness.map.modelTools ?? []).map((id) => harness.graph.node(id)?.name);
    expect(names).toEqual(['run_shell']);
  });

  it('takes no placeholder for state', () => {
    expect(harness.map.registers.map((register) => register.name)).not.toContain('_');
  });
});
