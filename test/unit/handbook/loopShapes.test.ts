import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { BehaviourMap } from '../../../src/core/handbook';
import { built, placesOf, unitsOf } from '../../fixtureHarness';

/** Map of a harness of one Python or TypeScript file, or of several. */
async function mapOf(files: string | Record<string, string>): Promise<BehaviourMap> {
  const folder = await mkdtemp(join(tmpdir(), 'harnessmith-loops-'));
  const all = typeof files === 'string' ? { 'agent.py': files } : files;
  for (const [path, text] of Object.entries(all)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  const { map, remove } = await built(folder);
  await remove();
  return map;
}

const boundaries = `import subprocess
import litellm


def ask(messages):
    return litellm.completion(model="m", messages=messages)


def act(command):
    return subprocess.run(command, shell=True)

`;

describe('the agent loop', () => {
  it('is the one around the turn, not the one that repeats a failed turn', async () => {
    const map = await mapOf(`${boundaries}
class Agent:
    def run(self):
        self.messages = []
        while not self.done:
            self.turn()

    def turn(self):
        answer = self.careful(self.messages)
        self.messages.append(answer)

    def careful(self, messages):
        for attempt in range(3):
            try:
                return self.once(messages)
            except ValueError:
                pass

    def once(self, messages):
        answer = ask(messages)
        return act(answer)
`);
    expect(map.loops[0]).toBe('unit:main_loop:agent.py#Agent.run');
  });

  it('is not the loop over tasks around it', async () => {
    const map = await mapOf(`${boundaries}
def solve(task):
    messages = [task]
    for step in range(MAX_STEPS):
        answer = ask(messages)
        messages.append(answer)
        result = act(answer)
        messages.append(result)
    return messages


def main(tasks):
    for task in tasks:
        solve(task)


MAX_STEPS = 12

if __name__ == "__main__":
    main([])
`);
    expect(map.loops[0]).toBe('unit:main_loop:agent.py#solve');
    const limit = unitsOf(map, 'limits')[0];
    expect(limit?.sites[0]).toMatchObject({ start: 15, end: 15 });
    expect(limit?.title).toContain('MAX');
  });

  it('may be a function that calls itself again', async () => {
    const map = await mapOf(`${boundaries}
def turn(messages):
    answer = ask(messages)
    if answer == "done":
        return messages
    messages.append(act(answer))
    return follow(messages)


def follow(messages):
    return turn(messages)
`);
    expect(map.loops[0]).toBe('unit:main_loop:agent.py#turn');
    expect(unitsOf(map, 'main_loop')[0]?.reasons.join(' ')).toContain('calls itself again');
  });

  it('is found where the handler comes out of a map', async () => {
    const map = await mapOf({
      'src/agent.ts': `import OpenAI from 'openai';

const client = new OpenAI();
const handlers: Record<string, (input: string) => string> = {};

export async function loop(messages: { role: string; content: string }[]) {
  for (;;) {
    const answer = await client.chat.completions.create({ model: 'm', messages });
    const call = JSON.parse(answer.choices[0].message.content);
    if (call.name === 'finish') return call.input;
    messages.push({ role: 'tool', content: handlers[call.name](call.input) });
  }
}
`,
    });
    expect(map.loops).toEqual(['unit:main_loop:src/agent.ts#loop']);
    expect(unitsOf(map, 'termination').map((unit) => unit.sites[0]?.start)).toEqual([10]);
  });

  it('is not claimed for a loop that only asks the model, or only runs commands', async () => {
    const map = await mapOf(`${boundaries}
def chat(messages):
    while True:
        messages.append(ask(messages))


def batch(commands):
    for command in commands:
        act(command)
`);
    expect(map.loops).toEqual([]);
    expect(map.notFound[0]).toMatch(/^Agent loop/);
  });

  it('is not looked for in tests', async () => {
    const map = await mapOf({
      'tests/test_agent.py': `${boundaries}\ndef test_loop():\n    while True:\n        act(ask([]))\n`,
      'lib.py': 'def one():\n    return 1\n',
    });
    expect(map.loops).toEqual([]);
  });
});

describe('regions away from the steps', () => {
  it('are limits that raise and retry loops of a library', async () => {
    const map = await mapOf({
      'agent.py': `from model import Model
import subprocess


class Agent:
    def __init__(self):
        self.model = Model()
        self.messages = []

    def run(self):
        while True:
            answer = self.model.query(self.messages)
            self.messages.append(answer)
            subprocess.run(answer, shell=True)
`,
      'model.py': `import litellm
from tenacity import Retrying


class CostLimitExceeded(Exception):
    pass


class Model:
    def __init__(self):
        self.total = 0

    def query(self, messages):
        for attempt in Retrying(attempts=3):
            with attempt:
                answer = litellm.completion(model="m", messages=messages)
        self.record(answer)
        return answer

    def record(self, answer):
        self.total += answer.price
        if self.total > 3.0:
            raise CostLimitExceeded()
`,
    });
    expect(map.loops).toEqual(['unit:main_loop:agent.py#Agent.run']);
    const limit = unitsOf(map, 'limits').find((unit) => unit.sites[0]?.symbol === 'Model.record');
    expect(limit?.sites[0]).toMatchObject({ file: 'model.py', start: 22, end: 23 });
    expect(placesOf(map, 'retry')).toEqual(['model.py#Model.query']);
  });

  it('are loops that wait after an error, whatever they are called', async () => {
    const map = await mapOf(`${boundaries}
import time


def careful(messages):
    for number in range(3):
        try:
            return ask(messages)
        except ValueError:
            time.sleep(number)


def run(messages):
    while True:
        messages.append(careful(messages))
        act(messages[-1])
`);
    expect(map.loops).toEqual(['unit:main_loop:agent.py#run']);
    expect(unitsOf(map, 'retry')[0]?.sites[0]).toMatchObject({ symbol: 'careful', start: 17, end: 21 });
  });

  it('are the lines of a template that cut output', async () => {
    const map = await mapOf({
      'config/agent.yaml': `agent:
  observation_template: |
    Result of the command:
    {% if output|length < 5000 %}
    {{ output }}
    {% else %}
    {{ output[:2000] }} ({{ count }} characters elided)
    {% endif %}
`,
      'agent.py': 'def one():\n    return 1\n',
    });
    expect(unitsOf(map, 'truncation')[0]?.sites[0]).toMatchObject({ file: 'config/agent.yaml', start: 7, end: 7 });
  });
});

describe('a model client that is handed in', () => {
  it('is not called missing where its call was recognised', async () => {
    const map = await mapOf(`import subprocess


class Agent:
    def __init__(self, model):
        self.model = model

    def query(self, messages):
        return self.model.chat.completions.create(messages=messages)

    def run(self, messages):
        for step in range(30):
            reply = self.query(messages)
            if reply == "done":
                return
            messages.append(subprocess.run(reply, shell=True).stdout)
`);
    expect(map.loops).toHaveLength(1);
    expect(unitsOf(map, 'model_call').length).toBeGreaterThan(0);
    expect(map.notFound.join('\n')).not.toContain('Model call:');
    expect(map.notFound.join('\n')).toContain('the model call `Agent.query` was recognised by its form');
  });
});
