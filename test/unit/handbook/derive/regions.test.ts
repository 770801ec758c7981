/** Regions of a loop that state the same behaviour in different forms, registers of every scope, and trees without a loop. */
import { describe, expect, it } from 'vitest';
import type { BehaviourMap, UnitKind } from '../../../../src/core/handbook';
import { unitsOf } from '../../../fixtureHarness';
import { harnessOf } from './harnessOf';

const head = `import json
import subprocess
import litellm


def ask(messages):
    return litellm.completion(model="m", messages=messages)


def act(command):
    return subprocess.run(command, shell=True).stdout


`;

async function mapOf(files: Record<string, string>): Promise<BehaviourMap> {
  const { map, remove } = await harnessOf(files);
  await remove();
  return map;
}

const body = (indent: string): string =>
  ['answer = ask(messages)', 'messages.append(answer)', 'result = act(answer)', 'messages.append(result)']
    .map((line) => `${indent}${line}\n`)
    .join('');

/** Text of the lines that units of a kind name inside `run`. */
async function linesOf(kind: UnitKind, run: string): Promise<string[]> {
  const text = head + run;
  const map = await mapOf({ 'agent.py': text });
  expect(map.loops).toEqual(['unit:main_loop:agent.py#run']);
  return unitsOf(map, kind).flatMap((unit) =>
    unit.sites.filter((site) => site.symbol === 'run').map((site) => (text.split('\n')[site.start - 1] ?? '').trim()),
  );
}

describe('limits', () => {
  it.each([
    [
      'range()',
      `def run(messages):\n    for step in range(MAX_STEPS):\n${body('        ')}\n\nMAX_STEPS = 9\n`,
      'for step in range(MAX_STEPS):',
    ],
    [
      'a while condition',
      `def run(messages, max_turns):\n    turn = 0\n    while turn < max_turns:\n        turn += 1\n${body('        ')}`,
      'while turn < max_turns:',
    ],
    [
      'raise',
      `def run(messages, limit):\n    cost = 0\n    while True:\n        cost += 1\n        if cost > limit:\n            raise RuntimeError("too much")\n${body('        ')}`,
      'if cost > limit:',
    ],
    [
      'break',
      `def run(messages, budget):\n    spent = 0\n    while True:\n        spent += 1\n        if spent >= budget:\n            break\n${body('        ')}`,
      'if spent >= budget:',
    ],
    [
      'a deadline',
      `def run(messages, deadline):\n    import time\n    while True:\n        if time.time() > deadline:\n            return messages\n${body('        ')}`,
      'if time.time() > deadline:',
    ],
  ])('as %s are where they stand', async (_form, run, line) => {
    expect(await linesOf('limits', run)).toEqual([line]);
  });

  it('are not claimed for a loop that has none, nor for a check that does not leave', async () => {
    const run = `def run(messages):\n    while True:\n        if len(messages) > 100:\n            print("long")\n${body('        ')}        if answer == "done":\n            break\n`;
    expect(await linesOf('limits', run)).toEqual([]);
    const map = await mapOf({ 'agent.py': head + run });
    expect(map.notFound.join('\n')).toContain('No check of a step, cost or time limit');
  });
});

describe('the end of a run', () => {
  it.each([
    [
      'a condition of the loop',
      `def run(messages):\n    done = False\n    while not done:\n${body('        ')}        done = answer == "x"\n`,
      'while not done:',
    ],
    [
      'break',
      `def run(messages):\n    while True:\n${body('        ')}        if answer == "x":\n            break\n`,
      'if answer == "x":',
    ],
    [
      'return',
      `def run(messages):\n    while True:\n${body('        ')}        if answer == "x":\n            return messages\n`,
      'if answer == "x":',
    ],
  ])('by %s is where it stands', async (_form, run, line) => {
    expect(await linesOf('termination', run)).toEqual([line]);
  });
});

describe('registers', () => {
  const names = (map: BehaviourMap, scope: string): string[] =>
    map.registers.filter((register) => register.scope === scope).map((register) => register.name);

  it('are attributes where the object of the loop keeps them', async () => {
    const map = await mapOf({
      'agent.py': `${head}class Agent:
    def __init__(self):
        self.messages = []
        self.cost = 0.0
        self.name = "a"

    def run(self):
        while True:
            answer = ask(self.messages)
            self.messages.append(answer)
            self.cost += 1
            if self.cost > 3:
                break
            act(answer)

    def reset(self):
        self.messages = []
`,
    });
    expect(names(map, 'attribute')).toEqual(expect.arrayContaining(['messages', 'cost']));
    expect(names(map, 'attribute')).not.toContain('name');
    const cost = map.registers.find((register) => register.name === 'cost');
    expect(cost?.sites.find((item) => item.access === 'init')?.site.symbol).toBe('Agent.__init__');
    expect(cost?.sites.filter((item) => item.access === 'read').map((item) => item.site.symbol)).toContain('Agent.run');
  });

  it('are what callbacks of a library capture', async () => {
    const map = await mapOf({
      'src/agent.ts': `import { streamText } from 'ai';

export async function run(messages: string[]) {
  let rounds = 0;
  const fixed = 3;
  return streamText({
    model: 'm',
    messages,
    onStepFinish: () => {
      rounds = rounds + 1;
    },
    onToolCall: (call: string) => messages.push(call),
    stopWhen: () => rounds > fixed,
  });
}
`,
    });
    expect(names(map, 'closure')).toContain('rounds');
    expect(names(map, 'closure')).not.toContain('fixed');
  });

  it('are files that are written and read back, not files that are only read', async () => {
    const map = await mapOf({
      'agent.py': `${head}def run(messages):
    rules = open("agent_rules.json").read()
    while True:
        open("agent_state.json", "w").write(json.dumps(messages))
        messages.append(ask(messages))
        act(messages[-1])
        messages = json.loads(open("agent_state.json").read())
`,
    });
    expect(names(map, 'file')).toEqual(['agent_state.json']);
  });

  it('are not what the loop only reads, or only writes', async () => {
    const map = await mapOf({
      'agent.py': `${head}def run(messages):
    model = "m"
    last = None
    while True:
        messages.append(ask(messages))
        print(model)
        last = act(messages[-1])
`,
    });
    expect(names(map, 'local')).toEqual(['messages']);
  });
});

describe('trees without a loop', () => {
  it('of skills only have units for what is there, claim no loop and say what was looked for', async () => {
    const map = await mapOf({
      'skills/review/SKILL.md':
        '---\nname: review\ndescription: Reviews a change.\n---\n\n# Review\n\nRead the diff first.\n',
      'skills/review/scripts/diff.py':
        'import subprocess\n\n\ndef diff():\n    return subprocess.run(["git", "diff"])\n',
      'AGENTS.md': '# Rules\n\nUse the skills.\n',
    });
    expect(map.loops).toEqual([]);
    expect(map.steps ?? []).toEqual([]);
    expect(map.notFound[0]).toMatch(/^Agent loop/);
    expect(unitsOf(map, 'model_call')).toEqual([]);
    expect(map.units.flatMap((unit) => unit.members)).toContain('skills/review/scripts/diff.py#diff');
  });

  it('of a library have a home for each function', async () => {
    const map = await mapOf({ 'lib/a.py': 'def one():\n    return two()\n\n\ndef two():\n    return 2\n' });
    expect(map.loops).toEqual([]);
    expect(map.units.flatMap((unit) => unit.members).sort()).toEqual(['lib/a.py#one', 'lib/a.py#two']);
  });

  it('that are empty give an empty map', async () => {
    const map = await mapOf({});
    expect([map.loops, map.units, map.unassigned, map.registers]).toEqual([[], [], [], []]);
    expect(map.notFound.join('\n')).toContain('Source: no file of a known language');
  });
});
