import { describe, expect, test } from 'vitest';
import { ends, graphOf } from './sources';

describe('calls in Python', () => {
  test('through imports, packages, aliases and re-exports', async () => {
    const { graph } = await graphOf({
      'app/__init__.py': 'from app.core.engine import start as begin\n',
      'app/core/__init__.py': '',
      'app/core/engine.py': 'def start():\n    pass\n\ndef stop():\n    pass\n',
      'app/main.py':
        'import app\nimport app.core.engine as eng\nfrom .core import engine\nfrom app import begin\n\ndef main():\n    begin()\n    app.begin()\n    eng.stop()\n    engine.stop()\n',
    });
    const edges = graph.out('app/main.py#main', 'calls').map(({ to, line }) => `${to} ${line}`);
    expect(edges).toEqual([
      'app/core/engine.py#start 7',
      'app/core/engine.py#start 8',
      'app/core/engine.py#stop 9',
      'app/core/engine.py#stop 10',
    ]);
    expect(ends(graph, 'app/main.py', 'imports')).toEqual([
      'app/__init__.py',
      'app/__init__.py',
      'app/core/__init__.py',
      'app/core/engine.py',
      'app/core/engine.py',
    ]);
  });

  test('self, inherited methods, super, constructors and overrides', async () => {
    const { graph } = await graphOf({
      'a.py': `class Base:
    def __init__(self):
        self.reset()
    def reset(self): pass
    def step(self):
        return self.query()
    def query(self): return 1

class Child(Base):
    def query(self):
        return super().query()

def make():
    child = Child()
    child.step()
`,
    });
    expect(ends(graph, 'a.py#Base.step', 'calls')).toEqual(['a.py#Base.query', 'a.py#Child.query ?']);
    expect(ends(graph, 'a.py#Child.query', 'calls')).toEqual(['a.py#Base.query']);
    expect(ends(graph, 'a.py#make', 'constructs')).toEqual(['a.py#Child']);
    expect(ends(graph, 'a.py#make', 'calls')).toEqual(['a.py#Base.__init__', 'a.py#Base.step']);
    expect(ends(graph, 'a.py#Child', 'inherits')).toEqual(['a.py#Base']);
  });

  test('an attribute of a protocol leads to whatever implements it', async () => {
    const { graph } = await graphOf({
      'agent.py': `from typing import Protocol
import subprocess, litellm

class Model(Protocol):
    def query(self, messages): ...
    def name(self): ...

class LitellmModel:
    def query(self, messages):
        return litellm.completion(messages=messages)
    def name(self): return "x"

class NoModel:
    def query(self): pass

class LocalEnvironment:
    def execute(self, command):
        return subprocess.run(command, shell=True)

class Agent:
    def __init__(self, model: Model, env):
        self.model = model
        self.env = env
    def run(self):
        self.env.execute(self.model.query([]))
`,
    });
    expect(ends(graph, 'agent.py#Agent.run', 'calls')).toEqual([
      'agent.py#LitellmModel.query ?',
      'agent.py#LocalEnvironment.execute ?',
    ]);
    expect(ends(graph, 'agent.py#LitellmModel.query', 'calls')).toEqual(['boundary:model:litellm.completion']);
    expect(ends(graph, 'agent.py#LocalEnvironment.execute', 'calls')).toEqual(['boundary:process:subprocess.run']);
  });

  test('parameters without a type hold what callers hand over', async () => {
    const { graph } = await graphOf({
      'p.py':
        'class Tool:\n    def use(self): pass\n\nclass Other:\n    def use(self): pass\n\ndef loop(tool):\n    tool.use()\n\ndef main():\n    loop(Tool())\n',
    });
    expect(ends(graph, 'p.py#loop', 'calls')).toEqual(['p.py#Tool.use']);
  });

  test('return types, containers and default classes', async () => {
    const { graph } = await graphOf({
      'r.py': `class Config:
    limit: int = 5

class Tool:
    def use(self): pass

def find() -> "Tool | None": ...

class Agent:
    def __init__(self, config_class: type = Config, **kwargs):
        self.config = config_class(**kwargs)
        self.tools: dict[str, Tool] = {}
    def run(self):
        for tool in self.tools.values():
            tool.use()
        self.tools["a"].use()
        find().use()
        return self.config.limit
`,
    });
    expect(graph.out('r.py#Agent.run', 'calls').map(({ to, line }) => `${to} ${line}`)).toEqual([
      'r.py#Tool.use 15',
      'r.py#Tool.use 16',
      'r.py#find 17',
      'r.py#Tool.use 17',
    ]);
    expect(ends(graph, 'r.py#Agent.run', 'reads')).toContain('r.py#Config.limit');
  });

  test('a call nothing explains is kept, a library call is not unresolved', async () => {
    const { graph, counts } = await graphOf({
      'u.py': 'import json\n\ndef f(x):\n    x.frobnicate()\n    json.dumps(x)\n    print(len(x))\n',
    });
    expect(graph.data.unresolved).toEqual([{ from: 'u.py#f', text: 'x.frobnicate()', file: 'u.py', line: 4 }]);
    expect(counts).toMatchObject({ calls: 4, resolved: 0, external: 3, unresolved: 1 });
  });

  test('a model endpoint called over plain HTTP is a model call', async () => {
    const { graph } = await graphOf({
      'm.py':
        'import requests\n\nclass M:\n    url = "https://example.com/api/v1/chat/completions"\n    def ask(self):\n        requests.post(self.url)\n        requests.get("https://example.com/health")\n',
    });
    expect(ends(graph, 'm.py#M.ask', 'calls')).toEqual([
      'boundary:model:requests.post',
      'boundary:network:requests.get',
    ]);
  });
});

describe('calls in TypeScript and JavaScript', () => {
  test('re-exports, default exports, namespaces and compiled endings', async () => {
    const { graph } = await graphOf({
      'src/index.ts': "export * from './run.js';\nexport { default as Agent } from './agent';\n",
      'src/run.ts': 'export const run = async () => { work(); };\nfunction work() {}\n',
      'src/agent.ts': 'export default class Agent { start() { this.step(); } private step = () => {}; }\n',
      'src/main.ts':
        "import { run, Agent } from '.';\nimport * as all from './index';\nexport function main() { run(); all.run(); const agent = new Agent(); agent.start(); }\n",
    });
    expect(graph.out('src/main.ts#main').map(({ kind, to }) => `${kind} ${to}`)).toEqual([
      'calls src/run.ts#run',
      'constructs src/agent.ts#Agent',
      'calls src/agent.ts#Agent.start',
    ]);
    expect(ends(graph, 'src/run.ts#run', 'calls')).toEqual(['src/run.ts#work']);
    expect(ends(graph, 'src/agent.ts#Agent.start', 'calls')).toEqual(['src/agent.ts#Agent.step']);
  });

  test('an interface leads to classes and object literals that fit it', async () => {
    const { graph } = await graphOf({
      'tools.ts': `import { spawn } from 'node:child_process';
export interface Tool { name: string; execute(args: string): Promise<string>; hint?: string }
export function createBash() { return { name: 'bash', execute: async (args: string) => spawn(args) }; }
export class Edit implements Tool { name = 'edit'; async execute(args: string) { return args; } }
const other = { label: 'no tool', execute() {} };
`,
      'loop.ts': `import type { Tool } from './tools';
export async function loop(tools: Tool[], byName: Map<string, Tool>) {
  for (const tool of tools) await tool.execute('x');
  await byName.get('bash')?.execute('y');
}
`,
    });
    expect(ends(graph, 'loop.ts#loop', 'calls')).toEqual([
      'tools.ts#Edit.execute ?',
      'tools.ts#Edit.execute ?',
      'tools.ts#createBash.execute ?',
      'tools.ts#createBash.execute ?',
    ]);
    expect(ends(graph, 'tools.ts#createBash.execute', 'calls')).toEqual(['boundary:process:child_process.spawn']);
  });

  test('a function handed through options reaches the model', async () => {
    const { graph } = await graphOf({
      'loop.js': `import { streamSimple } from '@mariozechner/pi-ai';
export async function run(config, streamFn) { while (true) { const stream = await turn(config, streamFn); for await (const event of stream) {} } }
async function turn(config, streamFn) { const call = streamFn || streamSimple; return call(config); }
`,
      'agent.js': `import { run } from './loop.js';
export class Agent { constructor(options) { this.streamFn = options.streamFn; } async prompt() { await run({}, this.streamFn); } }
`,
    });
    expect(ends(graph, 'loop.js#run', 'calls')).toEqual(['loop.js#turn']);
    expect(ends(graph, 'loop.js#turn', 'calls')).toEqual(['boundary:model:@mariozechner/pi-ai.streamSimple']);
    expect(ends(graph, 'agent.js#Agent.prompt', 'calls')).toEqual(['loop.js#run']);
  });

  test('declarations beside compiled output give its types, without nodes of their own', async () => {
    const { graph } = await graphOf({
      'dist/agent.js':
        'export class Agent { constructor(store) { this.store = store; } save() { this.store.write("x"); } }\n',
      'dist/agent.d.ts':
        "import { Store } from './store.js';\nexport declare class Agent { private store; constructor(store: Store); save(): void; }\nexport interface Options { deep: boolean }\n",
      'dist/store.js': 'export class Store { write(text) {} }\nexport class Log { write(text) {} }\n',
      'dist/store.d.ts':
        'export declare class Store { write(text: string): void; }\nexport declare class Log { write(text: string): void; }\n',
    });
    expect(ends(graph, 'dist/agent.js#Agent.save', 'calls')).toEqual(['dist/store.js#Store.write']);
    expect(graph.node('dist/agent.d.ts#Agent')).toBeUndefined();
    expect(graph.node('dist/agent.d.ts#Options')).toBeDefined();
  });

  test('packages of the repository are found by name', async () => {
    const { graph } = await graphOf({
      'packages/core/package.json':
        '{ "name": "@x/core", "exports": { ".": { "import": "./dist/index.js" }, "./loop": "./dist/loop.js" } }',
      'packages/core/src/index.ts': 'export function core() {}\n',
      'packages/core/src/loop.ts': 'export function loop() {}\n',
      'packages/cli/src/main.ts':
        "import { core } from '@x/core';\nimport { loop } from '@x/core/loop';\nexport const main = () => { core(); loop(); };\n",
    });
    expect(ends(graph, 'packages/cli/src/main.ts#main', 'calls')).toEqual([
      'packages/core/src/index.ts#core',
      'packages/core/src/loop.ts#loop',
    ]);
  });

  test('a named function handed over as a callback may be called', async () => {
    const { graph } = await graphOf({
      'c.ts': 'class A { start() { bus.on("x", this.handle); later(done); } handle() {} }\nfunction done() {}\n',
    });
    expect(ends(graph, 'c.ts#A.start', 'calls')).toEqual(['c.ts#A.handle ?', 'c.ts#done ?']);
  });

  test.each([
    [
      "import OpenAI from 'openai';\nconst client = new OpenAI();\nexport const f = () => client.chat.completions.create({});",
      'boundary:model:openai.chat.completions.create',
    ],
    [
      "import Anthropic from '@anthropic-ai/sdk';\nexport const f = () => new Anthropic().messages.stream({});",
      'boundary:model:@anthropic-ai/sdk.messages.stream',
    ],
    ["import { streamText } from 'ai';\nexport const f = () => streamText({});", 'boundary:model:ai.streamText'],
    ['export const f = (url: string) => fetch(`${url}/v1/chat/completions`);', 'boundary:model:fetch'],
    ["export const f = () => fetch('https://example.com/');", 'boundary:network:fetch'],
    ["import { execa } from 'execa';\nexport const f = () => execa('ls');", 'boundary:process:execa.execa'],
    [
      "import * as cp from 'node:child_process';\nexport const f = () => cp.execSync('ls');",
      'boundary:process:child_process.execSync',
    ],
    [
      "import fs from 'fs';\nexport const f = () => fs.promises.readFile('x');",
      'boundary:filesystem:fs.promises.readFile',
    ],
    ['export const f = () => Date.now();', 'boundary:clock:Date.now'],
    ['export const f = () => Math.random();', 'boundary:random:Math.random'],
  ])('boundary of %j', async (source, boundary) => {
    const { graph } = await graphOf({ 'b.ts': `${source}\n` });
    expect(ends(graph, 'b.ts#f', 'calls')).toEqual([boundary]);
  });
});

describe('possible ends of a call', () => {
  test('several methods of one name are candidates only when one is what the others override, and they are few', async () => {
    const classes = (count: number, base = '') =>
      Array.from({ length: count }, (_, i) => `class C${i}${i > 0 ? base : ''}:\n    def frob(self): pass\n`).join('');
    const use = 'def use(x):\n    x.frob()\n';
    const one = await graphOf({ 'a.py': classes(1) + use });
    expect(ends(one.graph, 'a.py#use', 'calls')).toEqual(['a.py#C0.frob ?']);
    const strangers = await graphOf({ 'a.py': classes(2) + use });
    expect(strangers.graph.out('a.py#use', 'calls')).toEqual([]);
    expect(strangers.graph.data.unresolved.map(({ text }) => text)).toEqual(['x.frob()']);
    const kin = await graphOf({ 'a.py': classes(5, '(C0)') + use });
    expect(kin.graph.out('a.py#use', 'calls')).toHaveLength(5);
    const many = await graphOf({ 'many.py': classes(6, '(C0)') + use });
    expect(many.graph.out('many.py#use', 'calls')).toEqual([]);
    expect(many.counts).toMatchObject({ resolved: 0, unresolved: 1 });
  });

  test('many methods of one name are candidates when an interface has it', async () => {
    const tools = Array.from(
      { length: 7 },
      (_, i) => `export const t${i} = { name: 't${i}', async execute() { return ${i}; } };\n`,
    ).join('');
    const { graph } = await graphOf({
      'tools.ts': `export interface Tool { name: string; execute(): Promise<number> }\n${tools}`,
      'loop.js': 'export async function turn(prepared) { await prepared.tool.execute(); }\n',
    });
    expect(ends(graph, 'loop.js#turn', 'calls')).toEqual(
      Array.from({ length: 7 }, (_, i) => `tools.ts#t${i}.execute ?`),
    );
  });

  test('doubles in tests do not stand for the real thing, except in tests', async () => {
    const { graph } = await graphOf({
      'src/env.py': 'class Env:\n    def perform(self): pass\n',
      'src/agent.py': 'def run(env):\n    env.perform()\n',
      'tests/test_other.py': 'class Double:\n    def only_here(self): pass\n',
      'src/other.py': 'def go(x):\n    x.only_here()\n',
      'tests/test_agent.py': 'class FakeEnv:\n    def perform(self): pass\n\ndef test_run(env):\n    env.perform()\n',
    });
    expect(ends(graph, 'src/agent.py#run', 'calls')).toEqual(['src/env.py#Env.perform ?']);
    expect(ends(graph, 'src/other.py#go', 'calls')).toEqual([]);
    expect(ends(graph, 'tests/test_agent.py#test_run', 'calls')).toEqual([]);
  });

  test('a method of built-in types is no candidate, whoever else has it', async () => {
    const { graph, counts } = await graphOf({
      'b.py': 'class Store:\n    def get(self, key): pass\n\ndef f(x):\n    x.get("a")\n    x.strip()\n',
    });
    expect(graph.out('b.py#f', 'calls')).toEqual([]);
    expect(counts).toMatchObject({ external: 1, unresolved: 1 });
  });

  test('recursion between types, bases and values ends', async () => {
    const { graph } = await graphOf({
      'loop.py': `class A(B):
    def __init__(self):
        self.x = self.y or self.x
        self.y = self.x
    def f(self):
        self.x.g()
        return self.f()

class B(A):
    pass

def one(): return two()
def two(): return one()
z = z2 = one().two()
`,
      'loop.ts': "export * from './loop';\nexport { a } from './loop';\nimport { a } from './loop';\na();\n",
    });
    expect(ends(graph, 'loop.py#A.f', 'calls')).toEqual(['loop.py#A.f']);
    expect(ends(graph, 'loop.py#one', 'calls')).toEqual(['loop.py#two']);
  });
});

describe('state, tools and configuration', () => {
  test('attributes are shared with the base that declares them; mutating calls are writes', async () => {
    const { graph } = await graphOf({
      's.py': `COUNT = 0

class Base:
    def __init__(self):
        self.messages: list = []
        self.cost = 0.0

class Child(Base):
    def add(self, message):
        global COUNT
        COUNT += 1
        self.messages.append(message)
        self.cost += message["cost"]
        return len(self.messages)
`,
    });
    expect(ends(graph, 's.py#Child.add', 'writes')).toEqual(['s.py#Base.cost', 's.py#Base.messages', 's.py#COUNT']);
    expect(graph.in('s.py#Base.messages', 'writes').map(({ line }) => line)).toEqual([5, 12]);
    expect(graph.in('s.py#Base.messages', 'reads').map(({ line }) => line)).toEqual([12, 14]);
    expect(graph.node('s.py#Base.cost')).toMatchObject({ kind: 'attribute', detail: '0.0' });
  });

  test('a getter that is read is called', async () => {
    const { graph } = await graphOf({ 'g.ts': 'class A { get size() { return 1; } use() { return this.size; } }\n' });
    expect(ends(graph, 'g.ts#A.use', 'calls')).toEqual(['g.ts#A.size']);
  });

  test('tools lead to what runs them, also when their name is a constant', async () => {
    const { graph } = await graphOf({
      'names.ts': "export const GREP = 'grep';\n",
      'tools.ts':
        "import { GREP } from './names';\nimport { runGrep } from './run';\nexport const tool = { name: GREP, description: 'Find text', parameters: {}, execute: runGrep };\n",
      'run.ts': 'export async function runGrep() {}\n',
    });
    expect(graph.node('tool:grep')).toMatchObject({ kind: 'tool', detail: 'Find text', file: 'tools.ts' });
    expect(ends(graph, 'tool:grep', 'implements-tool')).toEqual(['run.ts#runGrep']);
    expect(ends(graph, 'tools.ts', 'declares-tool')).toEqual(['tool:grep']);
  });

  test('configuration nodes carry their default and readers', async () => {
    const { graph } = await graphOf({ 'c.py': 'import os\n\ndef limit():\n    return os.getenv("LIMIT", "5")\n' });
    expect(graph.node('config:LIMIT')).toMatchObject({ kind: 'config', detail: '"5"' });
    expect(graph.in('config:LIMIT', 'reads').map(({ from }) => from)).toEqual(['c.py#limit']);
  });
});
