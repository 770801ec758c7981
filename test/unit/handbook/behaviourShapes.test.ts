import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { groupByFolder, roundedLimit } from '../../../src/core/handbook/derive/folders';
import { type BuiltHarness, built, builtFixture, placesOf, unitsOf } from '../../fixtureHarness';

async function harnessOf(files: Record<string, string>): Promise<BuiltHarness> {
  const folder = await mkdtemp(join(tmpdir(), 'harnessmith-shapes-'));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return built(folder);
}

const boundaries = `import subprocess
import litellm


def ask(messages):
    return litellm.completion(model="m", messages=messages)


def act(command):
    return subprocess.run(command, shell=True)

`;

describe('loops of other shapes', () => {
  it('may stand in a function inside a factory', async () => {
    const { map, remove } = await harnessOf({
      'agent.py': `${boundaries}
def react(limit):
    def execute(messages):
        while True:
            answer = ask(messages)
            messages.append(answer)
            messages.append(act(answer))
            if answer == "done":
                break
        return messages

    return execute
`,
    });
    expect(map.loops).toEqual(['unit:main_loop:agent.py#react.execute']);
    await remove();
  });

  it('may be a library that is handed callbacks: each is a step', async () => {
    const { map, remove } = await harnessOf({
      'src/agent.ts': `import { streamText } from 'ai';

export async function run(messages: string[]) {
  let steps = 0;
  const result = await streamText({
    model: 'm',
    messages,
    prepareStep: () => ({ messages }),
    onToolCall: (call: string) => messages.push(call),
    onStepFinish: () => {
      steps = steps + 1;
    },
    stopWhen: () => steps > 20,
  });
  return result;
}
`,
    });
    expect(map.loops[0]).toBe('unit:main_loop:src/agent.ts#run');
    const kinds = (map.steps ?? []).filter((step) => step.phase === 'loop').map((step) => step.kind);
    expect(kinds).toEqual(
      expect.arrayContaining(['prompt_assembly', 'model_call', 'tool_dispatch', 'accounting', 'termination']),
    );
    expect(kinds.indexOf('prompt_assembly')).toBeLessThan(kinds.indexOf('model_call'));
    await remove();
  });

  it('is the outermost of several, and the others are listed', async () => {
    const { map, remove } = await harnessOf({
      'agent.py': `${boundaries}
def agent_loop(messages):
    while True:
        answer = ask(messages)
        messages.append(answer)
        messages.append(act(answer))


def sub_agent_loop(messages):
    while len(messages) < 20:
        answer = ask(messages)
        messages.append(answer)
        messages.append(act(answer))
`,
    });
    expect([...map.loops].sort()).toEqual([
      'unit:main_loop:agent.py#agent_loop',
      'unit:main_loop:agent.py#sub_agent_loop',
    ]);
    await remove();
  });
});

describe('faults of derived maps', () => {
  let pebble: BuiltHarness;
  beforeAll(async () => {
    pebble = await builtFixture('pebble');
  });
  afterAll(() => pebble.remove());

  it('fault 3: a helper is filed with its only caller', async () => {
    const { map, remove } = await harnessOf({
      'agent.py': `${boundaries}
def load_config(path):
    return tidy(open(path).read())


def tidy(text):
    return text.strip()


def run(messages):
    load_config("a.json")
    while True:
        messages.append(ask(messages))
        act(messages[-1])
`,
    });
    const home = map.units.find((unit) => unit.members.includes('agent.py#tidy'));
    expect(home?.kind).toBe('config_load');
    await remove();
  });

  it('fault 4: the loop is cut into regions of several behaviours', () => {
    const inLoop = (pebble.map.steps ?? []).filter((step) => step.site.symbol === 'Agent.run');
    expect(new Set(inLoop.map((step) => step.unit)).size).toBeGreaterThanOrEqual(3);
  });

  it('fault 5: a stage shares a cross-cut only where a line of it makes the call', () => {
    const units = new Map(pebble.map.units.map((unit) => [unit.id, unit]));
    for (const unit of pebble.map.units.filter((candidate) => candidate.stage === 'cross_cut')) {
      for (const id of unit.callers) {
        const members = new Set(units.get(id)?.members);
        const regions = units.get(id)?.sites ?? [];
        const calls = unit.members.flatMap((member) => pebble.graph.in(member, 'calls'));
        const made = calls.some(
          (edge) =>
            members.has(edge.from) ||
            regions.some((site) => site.file === edge.file && site.start <= edge.line && edge.line <= site.end),
        );
        expect([id, made]).toEqual([id, true]);
      }
    }
  });

  it('fault 11: no function that is called is without a home', () => {
    const homes = new Set(pebble.map.units.flatMap((unit) => unit.members));
    const called = pebble.graph.functions().filter((node) => pebble.graph.in(node.id, 'calls').length > 0);
    expect(called.filter((node) => !homes.has(node.id))).toEqual([]);
  });

  it('fault 15: a small harness has a map of few units, and tests are in none', () => {
    expect(pebble.map.units.length).toBeLessThanOrEqual(40);
    expect(pebble.map.units.flatMap((unit) => unit.sites).filter((site) => /(^|\/)tests?\//.test(site.file))).toEqual(
      [],
    );
  });
});

describe('behaviours that are not there', () => {
  it('are not claimed for what an example or a contributor file says', async () => {
    const { map, remove } = await harnessOf({
      'AGENTS.md': 'Run the tests before you commit.\n',
      'agent.py': `${boundaries}
def run(messages):
    while True:
        messages.append(ask(messages))
        act(messages[-1])
`,
      'examples/extra.py':
        'def run_subagent(task):\n    return task\n\n\ndef compact_history(messages):\n    return messages[-1:]\n',
    });
    for (const kind of ['memory_files', 'subagents', 'compaction', 'tool_submit', 'permission'] as const)
      expect([kind, unitsOf(map, kind)]).toEqual([kind, []]);
    await remove();
  });

  it('while state on disk is a register', async () => {
    const { map, remove } = await harnessOf({
      'agent.py': `${boundaries}import json


def load_scores():
    return json.loads(open("task_scores.json").read())


def save_scores(scores):
    open("task_scores.json", "w").write(json.dumps(scores))


def run(messages):
    while True:
        scores = load_scores()
        messages.append(ask(messages))
        act(messages[-1])
        save_scores(scores)
`,
    });
    const file = map.registers.find((register) => register.scope === 'file');
    expect(file?.name).toBe('task_scores.json');
    expect(new Set(file?.sites.map((item) => item.access))).toEqual(new Set(['read', 'write']));
    expect(placesOf(map, 'main_loop')).toEqual(['agent.py#run']);
    await remove();
  });
});

describe('groupByFolder', () => {
  const item = (path: string, weight = 1) => ({ path: path.split('/'), weight });

  it('splits what is heavy and keeps the light parts together', () => {
    const groups = groupByFolder([item('a/x', 6), item('a/y', 5), item('b/z'), item('c/w')], 8);
    expect(groups.map((group) => [group.path.join('/'), group.items.length])).toEqual([
      ['a/x', 1],
      ['a/y', 1],
      ['', 2],
    ]);
  });

  it('takes every item once, and limits move in powers of two', () => {
    const items = ['a/b/c', 'a/b/d', 'a/e', 'f', 'g/h/i'].map((path) => item(path));
    expect(groupByFolder(items, 2).flatMap((group) => group.items)).toHaveLength(items.length);
    expect([roundedLimit(1), roundedLimit(5), roundedLimit(8), roundedLimit(0)]).toEqual([1, 8, 8, 1]);
  });
});
