import { describe, expect, test } from 'vitest';
import { ends, graphOf } from './sources';

async function callsIn(source: string, from: string, path = 'a.ts'): Promise<string[]> {
  const { graph } = await graphOf({ [path]: source });
  return ends(graph, `${path}#${from}`, 'calls').map((end) => end.replace(`${path}#`, ''));
}

describe('modules of TypeScript and JavaScript', () => {
  test('re-exports through two barrels, renamed, and of everything', async () => {
    const { graph } = await graphOf({
      'src/index.ts': "export * from './core';\nexport { bash as shell } from './tools/bash.js';\n",
      'src/core/index.ts': "export * from './loop';\nexport * as state from './state';\n",
      'src/core/loop.ts': 'export function loop() {}\n',
      'src/core/state.ts': 'export function save() {}\n',
      'src/tools/bash.ts': 'export const bash = () => {};\n',
      'cli.ts':
        "import { loop, shell, state } from './src';\nexport function main() { loop(); shell(); state.save(); }\n",
    });
    expect(ends(graph, 'cli.ts#main', 'calls')).toEqual([
      'src/core/loop.ts#loop',
      'src/core/state.ts#save',
      'src/tools/bash.ts#bash',
    ]);
    expect(ends(graph, 'src/index.ts', 'imports')).toEqual(['src/core/index.ts', 'src/tools/bash.ts']);
  });

  test('CommonJS: a class, named functions and destructured requires', async () => {
    const { graph } = await graphOf({
      'agent.js': 'module.exports = class Agent { run() {} };\n',
      'tools.js': 'function bash() {}\nfunction edit() {}\nmodule.exports = { bash, edit };\n',
      'more.cjs': 'exports.later = function () {};\n',
      'main.js':
        "const Agent = require('./agent');\nconst tools = require('./tools');\nconst { edit } = require('./tools');\nconst { later } = require('./more.cjs');\nfunction main() { new Agent().run(); tools.bash(); edit(); later(); }\n",
    });
    expect(ends(graph, 'main.js#main', 'calls')).toEqual([
      'agent.js#Agent.run',
      'more.cjs#later',
      'tools.js#bash',
      'tools.js#edit',
    ]);
    expect(ends(graph, 'main.js#main', 'constructs')).toEqual(['agent.js#Agent']);
  });

  test('default exports of a name, a function and an object', async () => {
    const { graph } = await graphOf({
      'a.ts': 'function go() {}\nexport default go;\n',
      'b.ts': 'export default async function () {}\n',
      'c.ts': 'export default { run() {}, stop: () => {} };\n',
      'main.ts':
        "import go from './a';\nimport anything from './b';\nimport agent from './c';\nexport function main() { go(); anything(); agent.run(); agent.stop(); }\n",
    });
    expect(ends(graph, 'main.ts#main', 'calls')).toEqual(['a.ts#go', 'b.ts#default', 'c.ts#run ?', 'c.ts#stop ?']);
  });

  test('dynamic imports lead to the module', async () => {
    const { graph } = await graphOf({
      'lazy.ts': 'export function work() {}\n',
      'main.ts': "export async function main() { const lazy = await import('./lazy.js'); lazy.work(); }\n",
    });
    expect(ends(graph, 'main.ts#main', 'calls')).toEqual(['lazy.ts#work']);
  });
});

describe('types of TypeScript', () => {
  const tool = 'class Tool { use() {} }\nclass Other { use() {} }\n';

  test.each([
    ['xs: Tool[]', 'for (const x of xs) x.use();'],
    ['xs: readonly Tool[]', 'xs[0]?.use();'],
    ['xs: Map<string, Tool>', "xs.get('a')!.use();"],
    ['xs: Map<string, Tool>', 'for (const x of xs.values()) x.use();'],
    ['xs: Map<string, Tool>', 'for (const [name, x] of xs) x.use();'],
    ['xs: Record<string, Tool>', "xs['a'].use();"],
    ['xs: Set<Tool>', 'for (const x of xs) x.use();'],
    ['xs: Promise<Tool>', '(await xs).use();'],
    ['xs: AsyncGenerator<Tool>', 'for await (const x of xs) x.use();'],
    ['xs: Tool | undefined', 'xs?.use();'],
    ['xs: Tool[]', 'xs.find((x) => x)?.use();'],
    ['xs: Tool[]', 'xs.forEach((x) => x.use());'],
    ['xs: Tool[]', 'xs.filter(Boolean).map((x) => x.use());'],
  ])('%s: %s', async (parameter, statement) => {
    const source = `${tool}export async function f(${parameter}) { ${statement} }\n`;
    const found = (await callsIn(source, 'f')).filter((end) => end.endsWith('.use'));
    expect(found).toEqual(['Tool.use']);
  });

  test('fields, getters, constructors and private names', async () => {
    const source = `${tool}
class Agent {
  private tools = new Map<string, Tool>();
  #other = new Other();
  constructor(private readonly first: Tool) {}
  get current(): Tool { return this.first; }
  a() { this.tools.get('x')?.use(); }
  b() { this.#other.use(); }
  c() { this.first.use(); }
  d() { this.current.use(); }
}
`;
    expect(await callsIn(source, 'Agent.a')).toEqual(['Tool.use']);
    expect(await callsIn(source, 'Agent.b')).toEqual(['Other.use']);
    expect(await callsIn(source, 'Agent.c')).toEqual(['Tool.use']);
    expect(await callsIn(source, 'Agent.d')).toEqual(['Agent.current', 'Tool.use']);
  });

  test('overrides, abstract methods, super and interfaces that extend', async () => {
    const source = `interface Named { name: string }
interface Step extends Named { run(): void }
abstract class Base implements Step {
  name = 'base';
  run() { this.prepare(); this.act(); }
  prepare() {}
  protected abstract act(): void;
}
class One extends Base { act() { super.prepare(); } }
class Two extends Base { prepare() {} act() {} }
function go(step: Step) { step.run(); }
`;
    expect(await callsIn(source, 'Base.run')).toEqual(['Base.prepare', 'One.act ?', 'Two.act ?', 'Two.prepare ?']);
    expect(await callsIn(source, 'One.act')).toEqual(['Base.prepare']);
    expect(await callsIn(source, 'go')).toEqual(['Base.run ?']);
  });
});

describe('functions that are values in TypeScript', () => {
  test.each([['{ read, write: write }'], ['[read, write]'], ["new Map([['read', read], ['write', write]])"]])(
    'the functions of a registry %s may be called by whoever gets it',
    async (registry) => {
      const { graph } = await graphOf({
        'a.ts': `function read(x: string) {}\nfunction write(x: string) {}\nfunction never() {}\nexport const handlers = ${registry};\n`,
      });
      expect(ends(graph, 'a.ts', 'calls')).toEqual(['a.ts#read ?', 'a.ts#write ?']);
    },
  );

  test('a function wrapped at the top of a module is what a call of its name runs', async () => {
    const source =
      'function work() {}\nexport const run = memo(async () => { work(); });\nexport function f() { run(); }\n';
    expect(await callsIn(source, 'f')).toEqual(['run~2']);
    expect(await callsIn(source, 'run~2')).toEqual(['work']);
  });

  test('callbacks by name, bound methods and aliases', async () => {
    const source = `class Agent {
  start() { bus.on('step', this.onStep.bind(this)); const go = helper; go(); queue.push(helper); }
  onStep() {}
}
function helper() {}
`;
    expect(await callsIn(source, 'Agent.start')).toEqual(expect.arrayContaining(['helper']));
  });

  test('what nothing explains is kept with its text, scope and line', async () => {
    const { graph, counts } = await graphOf({
      'a.ts': 'export class A {\n  run(x) {\n    x.launch({ deep: true });\n    unknownName();\n  }\n}\n',
    });
    expect(graph.data.unresolved).toEqual([
      { from: 'a.ts#A.run', text: 'x.launch({ deep: true })', file: 'a.ts', line: 3 },
      { from: 'a.ts#A.run', text: 'unknownName()', file: 'a.ts', line: 4 },
    ]);
    expect(counts).toMatchObject({ calls: 2, resolved: 0, unresolved: 2 });
  });
});
