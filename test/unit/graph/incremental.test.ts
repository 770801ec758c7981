import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { recordOf } from '../../../src/core/graph/analyzeFile';
import { type Joined, joinFiles } from '../../../src/core/graph/assemble';
import { hashText } from '../../../src/core/graph/hash';
import { IndexSession } from '../../../src/core/graph/indexSession';
import { Linker } from '../../../src/core/graph/linker/link';
import type { AnalyzedFile } from '../../../src/core/graph/linker/symbolTable';
import { splitFacts } from '../../../src/core/graph/outline';
import { openHarness } from '../../../src/core/harness';

/** Two languages, with a hub of re-exports, classes over several files, interfaces, callbacks and circles. */
const project: Record<string, string> = {
  'src/index.ts': `export * from './base';\nexport * from './tools';\nexport { run as start } from './loop';\n`,
  'src/base.ts': `export interface Model { query(text: string): Promise<Answer>; }
export interface Answer { text: string; next?: Answer }
export abstract class Tool {
  name = 'tool';
  limit = 3;
  abstract execute(input: string): string;
  describe() { return this.name; }
}
export const registry = new Map<string, Tool>();
`,
  'src/tools.ts': `import { Tool, registry } from './base';
export class ReadTool extends Tool {
  execute(input: string) { return this.describe() + input; }
}
export class WriteTool extends ReadTool {
  execute(input: string) { registry.set(input, this); return super.execute(input); }
}
export const makers = { read: () => new ReadTool(), write() { return new WriteTool(); } };
export function pick(name: string): Tool { return name === 'read' ? makers.read() : makers.write(); }
`,
  'src/loop.ts': `import { type Model, pick, registry, type Answer } from './index';
import { readFileSync } from 'node:fs';
let answer: Answer | undefined;
export async function run(model: Model, task: string) {
  const tool = pick(task);
  for (;;) {
    answer = await model.query(readFileSync('prompts/system.md', 'utf8'));
    const output = tool.execute(answer.text);
    registry.get(output)?.describe();
    if (output.length > tool.limit) return step(answer, output);
  }
}
function step(answer: Answer, output: string) {
  let node = answer;
  while (node.next) node = node.next;
  return each([output], handle);
}
function each<T>(list: T[], use: (item: T) => void) { for (const item of list) use(item); }
function handle(item: string) { return item.trim(); }
`,
  'src/model.ts': `import type { Model } from './base';
export class OpenModel implements Model {
  async query(text: string) { return { text: await this.send(text) }; }
  private async send(text: string) { return (await fetch('https://a.example/v1/chat/completions')).text(); }
}
export class FakeModel implements Model { async query(text: string) { return { text }; } }
`,
  // Nobody imports these: only the names of their members lead from one to the other.
  'src/echo.ts': `export class Echo { answer(text: string) { return text; } }
export class Mirror { answer(text: string) { return text; } }
export interface Wall { reflect(text: string): string; }
export const echoes = { query(text: string) { return text; }, limit: 3 };
`,
  'src/late.ts': `export function later(thing) { return thing.query('text') ?? thing.execute('text') ?? thing.answer('text'); }
export interface Listener { heard(text: string): void; }
export function tell(listener: Listener, other: Listener) { listener.heard('text'); return other.heard('text'); }
`,
  'agent/__init__.py': `from .core import Agent\nfrom .tools import *\n`,
  'agent/core.py': `from agent.tools import Shell, LIMIT
import subprocess

class Agent:
    def __init__(self, model, shell: Shell | None = None):
        self.model = model
        self.shell = shell or Shell()
        self.steps = 0

    def run(self, task):
        while self.steps < LIMIT:
            self.steps += 1
            self.step(self.model.query(task))

    def step(self, action):
        return self.shell.execute(action, on_done=self.finish)

    def finish(self):
        return subprocess.run(['true'])
`,
  'agent/tools.py': `LIMIT = 10

class Base:
    history = []
    def execute(self, action, on_done=None):
        raise NotImplementedError

class Shell(Base):
    def execute(self, action, on_done=None):
        self.history.append(action)
        on_done()
        return action
`,
  'agent/main.py': `from agent import Agent, Shell

class Model:
    def query(self, text):
        return text

def main():
    agent = Agent(Model(), Shell())
    agent.run("do something useful now")
`,
};

const words = [
  ...new Set(
    Object.values(project)
      .join(' ')
      .match(/[A-Za-z_]\w*/g),
  ),
];

/** Where a class, interface or object literal says the name of a function. */
const memberPlace = /^(\s+|.*[{;]\s*)((?:(?:async|abstract|private|def)\s+)*)([A-Za-z_]\w*)(?=\()/gm;
const members = ['query', 'execute', 'describe', 'answer', 'heard', 'send', 'step'];

async function analyzed(path: string, text: string): Promise<AnalyzedFile> {
  const { language, facts } = await recordOf(path, text);
  const { outline, body } = splitFacts(structuredClone(facts!));
  return { path, language, outline, body: () => body };
}

async function all(sources: Record<string, string>): Promise<AnalyzedFile[]> {
  return Promise.all(Object.entries(sources).map(([path, text]) => analyzed(path, text)));
}

function graphOf(sources: Record<string, string>, linker: Linker): Joined {
  const files = Object.entries(sources).map(([path, text]) => {
    return { path, language: 'any', hash: hashText(text), lines: 1, bytes: text.length, parseErrors: 0 };
  });
  return joinFiles('/harness', files, linker.linked, []);
}

async function fresh(sources: Record<string, string>): Promise<Linker> {
  const linker = new Linker(await all(sources), []);
  await linker.linkAll();
  return linker;
}

/** One edit as a person makes it, well or half done. */
function edited(text: string, { kind, at, word, other }: Edit): string {
  const lines = text.split('\n');
  const line = at % lines.length;
  switch (kind) {
    case 'blank':
      return lines.toSpliced(line, 0, '').join('\n');
    case 'delete':
      return lines.toSpliced(line, 1).join('\n');
    case 'repeat':
      return lines.toSpliced(line, 0, lines[line]!).join('\n');
    case 'swap':
      return lines.toSpliced(line, 2, ...lines.slice(line, line + 2).reverse()).join('\n');
    case 'rename': {
      const places = [...text.matchAll(/[A-Za-z_]\w*/g)];
      const place = places[at % Math.max(1, places.length)];
      if (!place) return text;
      return `${text.slice(0, place.index)}${words[other % words.length]}${text.slice(place.index + place[0].length)}`;
    }
    case 'member': {
      const places = [...text.matchAll(memberPlace)];
      const place = places[at % Math.max(1, places.length)];
      if (!place) return text;
      const start = place.index + place[1]!.length + place[2]!.length;
      return text.slice(0, start) + members[other % members.length] + text.slice(start + place[3]!.length);
    }
    case 'owner': {
      const name = members[other % members.length];
      const owners = text.includes('def ')
        ? [`class Added:\n    def ${name}(self, text):\n        return text\n`]
        : [
            `export class Added { ${name}(text: string) { return text; } }\n`,
            `export interface Added { ${name}(text: string): string; }\n`,
            `export const added = { ${name}(text: string) { return text; } };\n`,
            `export interface Added { ${name}: (text: string) => string; }\n`,
          ];
      return `${text}\n${owners[word % owners.length]}`;
    }
    case 'add':
      return `${text}\n${words[word % words.length]} = ${words[other % words.length]}.${words[at % words.length]}()\n`;
  }
}

const Edits = fc.array(
  fc.record({
    file: fc.nat(Object.keys(project).length - 1),
    kind: fc.constantFrom('blank', 'delete', 'repeat', 'swap', 'rename', 'member', 'member', 'owner', 'add'),
    at: fc.nat(200),
    word: fc.nat(1000),
    other: fc.nat(1000),
  }),
  { minLength: 1, maxLength: 6 },
);
interface Edit {
  kind: 'blank' | 'delete' | 'repeat' | 'swap' | 'rename' | 'member' | 'owner' | 'add';
  at: number;
  word: number;
  other: number;
}

describe('a session', () => {
  test('gives edges of both ends as an index from nothing does, saved file after saved file', async () => {
    const root = await mkdtemp(join(tmpdir(), 'session-'));
    const write = async (path: string, text: string) => {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), text);
    };
    try {
      for (const [path, text] of Object.entries(project)) await write(path, text);
      await write('prompts/system.md', 'You are an agent that reads files before it edits them.\n');
      await write(
        'config/agent.yaml',
        'agent:\n  step_limit: 3\n  system_template: |\n    You are an agent that works.\n',
      );
      const harness = await openHarness(root);
      const session = new IndexSession(harness);
      const first = await session.refresh();
      expect((await session.refresh()).graph).toBe(first.graph);
      const texts = [
        `${project['agent/main.py']}\ndef more(config):\n    return config.get('step_limit')\n`,
        project['agent/main.py']!,
        `import os\n\n${project['agent/main.py']!.replace('Model()', 'None')}`,
      ];
      first.graph.out('agent/main.py#main');
      for (const text of texts) {
        await write('agent/main.py', text);
        const saved = await session.update(['agent/main.py']);
        const fresh = await new IndexSession(harness).refresh();
        expect(saved?.stats.parsed).toBe(1);
        expect(saved?.graph.data).toEqual(fresh.graph.data);
        for (const { id } of fresh.graph.data.nodes) {
          expect(saved?.graph.out(id)).toEqual(fresh.graph.out(id));
          expect(saved?.graph.in(id)).toEqual(fresh.graph.in(id));
        }
      }
      expect(await session.update(['agent/unknown.py'])).toBeUndefined();
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  });
});

describe('links after an edit', () => {
  const aimed: { what: string; path: string; from: string; to: string }[] = [
    { what: 'a class has the function of an interface now', path: 'src/echo.ts', from: 'answer', to: 'query' },
    { what: 'a class has the function of another interface now', path: 'src/echo.ts', from: 'answer', to: 'heard' },
    { what: 'an object literal has it no more', path: 'src/echo.ts', from: 'query', to: 'answer' },
    { what: 'the first interface has the function', path: 'src/echo.ts', from: 'reflect', to: 'answer' },
    {
      what: 'a second interface has the function',
      path: 'src/late.ts',
      from: 'heard(text: string)',
      to: 'query(text)',
    },
    { what: 'an interface has a function more', path: 'src/base.ts', from: '{ query', to: '{ tell(): void; query' },
    { what: 'an implementer has another name', path: 'src/model.ts', from: 'class FakeModel', to: 'class Other' },
    { what: 'a class is derived no more', path: 'src/model.ts', from: ' implements Model', to: '' },
    { what: 'an abstract function has a body', path: 'src/base.ts', from: 'abstract execute', to: 'execute' },
  ];

  test.each(aimed)('are new when $what', async ({ path, from, to }) => {
    const sources: Record<string, string> = { ...project };
    const linker = await fresh(sources);
    const before = graphOf(sources, linker);
    // There and back: something that comes is told otherwise than something that goes.
    for (const text of [project[path]!.replace(from, to), project[path]!]) {
      expect(text).not.toBe(sources[path]);
      sources[path] = text;
      expect(linker.update([await analyzed(path, text)])).toBeDefined();
      expect(graphOf(sources, linker)).toEqual(graphOf(sources, await fresh(sources)));
    }
    expect(graphOf(sources, linker)).toEqual(before);
  });

  test('are those of an index from nothing, whatever was edited before', async () => {
    await fc.assert(
      fc.asyncProperty(Edits, async (edits) => {
        const sources = { ...project };
        const linker = await fresh(sources);
        for (const edit of edits) {
          const path = Object.keys(sources)[edit.file]!;
          sources[path] = edited(sources[path]!, edit);
          expect(linker.update([await analyzed(path, sources[path])])).toBeDefined();
          expect(graphOf(sources, linker)).toEqual(graphOf(sources, await fresh(sources)));
        }
      }),
      {
        numRuns: Number(process.env.INCREMENTAL_RUNS ?? 60),
        ...(process.env.INCREMENTAL_SEED ? { seed: Number(process.env.INCREMENTAL_SEED) } : {}),
      },
    );
  }, 180_000);
});
