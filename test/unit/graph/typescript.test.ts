import { describe, expect, test } from 'vitest';
import { factsOf } from './sources';

const session = `import { readFile } from 'node:fs/promises';
import OpenAI, { type Stream } from 'openai';
import * as tools from './tools';
export * from './types';
export { run as start } from './run';

export const limit = 12;

/** Drives the model. More text. */
export default class Session<T> extends Base<T> implements Runner {
  private readonly client: OpenAI;
  #turns = 0;
  onStep = async (step: Step) => { this.emit(step); };
  constructor(private readonly env: Environment, public name = 'x') {
    super();
    this.client = new OpenAI({ apiKey: process.env.OPENAI_API_KEY ?? 'none' });
  }
  get turns(): number { return this.#turns; }
  async *run(task: string): AsyncGenerator<Step> {
    for await (const chunk of this.client.chat.completions.create({ task })) {
      this.#turns += 1;
      yield chunk;
    }
    for (let i = 0; i < limit; i++) { while (this.busy()) {} }
    const done = () => { this.finish(); };
    tools.register({ name: 'bash', description: 'Run a command', parameters: {}, async execute(args) { return this.env.exec(args); } });
    items.forEach((item) => { handle(item); });
    throw new Error(\`The task \${task} was not finished in time\`);
  }
}

interface Environment { exec(command: string): Promise<string>; cwd: string; hook?: (x: number) => void }
type Mode = 'fast' | Slow;
type Shape = { area(): number };
export async function main({ argv }: Options, depth = 2): Promise<void> { await readFile(argv[0]); }
`;

describe('facts of TypeScript', () => {
  test('classes, methods, fields with functions, nested functions and object methods', async () => {
    const { symbols } = await factsOf('session.ts', session);
    const byName = new Map(symbols.map((symbol) => [symbol.qualname, symbol]));
    expect(byName.get('Session')).toMatchObject({
      kind: 'class',
      bases: ['Base', 'Runner'],
      doc: 'Drives the model.',
      exported: true,
    });
    expect(byName.get('Session.run')).toMatchObject({ kind: 'method', async: true, returns: 'AsyncGenerator<Step>' });
    expect(byName.get('Session.run')?.loops?.map(({ start }) => start)).toEqual([20, 24, 24]);
    expect(byName.get('Session.onStep')).toMatchObject({ kind: 'method', async: true });
    expect(byName.get('Session.turns')).toMatchObject({ getter: true });
    expect(byName.get('Session.run.done')).toMatchObject({ kind: 'function' });
    expect(byName.get('Session.run.execute')).toMatchObject({ kind: 'method' });
    expect(byName.get('Environment')).toMatchObject({ kind: 'class', abstract: true });
    expect(byName.get('Environment.exec')).toMatchObject({ kind: 'method', abstract: true });
    expect(byName.get('Shape.area')).toMatchObject({ abstract: true });
    expect(byName.get('limit')).toMatchObject({ kind: 'variable', detail: '12', exported: true });
    expect(byName.get('main')).toMatchObject({
      signature: 'main({ argv }: Options, depth = 2): Promise<void>',
      exported: true,
    });
  });

  test('imports and re-exports', async () => {
    const { imports, exports } = await factsOf('session.ts', session);
    expect(imports.map(({ local, module, name }) => [local, module, name])).toEqual([
      ['readFile', 'node:fs/promises', 'readFile'],
      ['OpenAI', 'openai', 'default'],
      ['Stream', 'openai', 'Stream'],
      ['tools', './tools', '*'],
    ]);
    expect(exports).toEqual([
      { exported: '*', module: './types', chain: '*' },
      { exported: 'start', module: './run', chain: 'run' },
      { exported: 'default', module: null, chain: 'Session' },
    ]);
  });

  test('CommonJS: require, exports and module.exports', async () => {
    const { imports, exports, symbols } = await factsOf(
      'old.cjs',
      "const fs = require('fs');\nconst { spawn, exec: sh } = require('node:child_process');\nexports.run = function (x) { return spawn(x); };\nfunction stop() {}\nmodule.exports = { stop, go: stop };\nconst late = await import('./late.js');\n",
    );
    expect(imports.map(({ local, module, name }) => [local, module, name])).toEqual([
      ['fs', 'fs', '*'],
      ['spawn', 'node:child_process', 'spawn'],
      ['sh', 'node:child_process', 'exec'],
      ['late', './late.js', '*'],
    ]);
    expect(exports).toEqual([
      { exported: 'run', module: null, chain: 'run' },
      { exported: 'stop', module: null, chain: 'stop' },
      { exported: 'go', module: null, chain: 'stop' },
    ]);
    expect(symbols.map(({ qualname }) => qualname)).toEqual(['run', 'stop']);
  });

  test('attributes come from fields, parameter properties and assignments', async () => {
    const { attributes } = await factsOf('session.ts', session);
    const own = attributes
      .filter(({ owner }) => owner === 'Session')
      .map(({ name, type, values }) => [name, type, values]);
    expect(own).toEqual([
      ['client', 'OpenAI', undefined],
      ['#turns', undefined, ['""']],
      ['env', 'Environment', ['env']],
      ['name', undefined, ['name']],
      ['client', undefined, ['OpenAI()']],
    ]);
    expect(attributes.find(({ name }) => name === 'hook')).toMatchObject({ owner: 'Environment', optional: true });
  });

  test('calls of callbacks belong to the enclosing named function', async () => {
    const { calls } = await factsOf('session.ts', session);
    const inRun = calls.filter(({ scope }) => scope === 'Session.run').map(({ callee }) => callee);
    expect(inRun).toEqual([
      'this.client.chat.completions.create',
      'this.busy',
      'tools.register',
      'handle',
      'items.forEach',
      'Error',
    ]);
    expect(calls).toContainEqual(
      expect.objectContaining({ scope: 'Session.run.execute', callee: 'this.env.exec', line: 26 }),
    );
    expect(calls.find(({ callee }) => callee === 'OpenAI')).toMatchObject({ construct: true });
  });

  test('writes, configuration reads, strings and tools', async () => {
    const { accesses, configurations, strings, tools } = await factsOf('session.ts', session);
    const writes = accesses.filter((access) => access.write).map(({ chain, line }) => `${chain} ${line}`);
    expect(writes).toEqual([
      'limit 7',
      'this.#turns 12',
      'this.env 14',
      'this.name 14',
      'this.client 16',
      'this.#turns 21',
    ]);
    expect(configurations).toEqual([
      {
        key: 'OPENAI_API_KEY',
        scope: 'Session.constructor',
        line: 16,
        text: "process.env.OPENAI_API_KEY ?? 'none'",
        default: "'none'",
      },
    ]);
    expect(strings.map(({ parts }) => parts)).toEqual([
      ['Run a command'],
      ['The task ', null, ' was not finished in time'],
    ]);
    expect(tools).toMatchObject([
      { name: 'bash', description: 'Run a command', implementations: ['Session.run.execute'] },
    ]);
  });

  test('tools of the common libraries', async () => {
    const { tools } = await factsOf(
      'tools.ts',
      `export const readTool = tool({ description: 'Read a file', inputSchema: schema, execute: async ({ path }) => read(path) });
server.registerTool('search', { description: 'Search text', inputSchema: {} }, handleSearch);
class LsTool { name = 'ls'; description = 'List'; async execute() {} }
export const grep = { name: NAMES.grep, description: 'Find', parameters: {}, execute: runGrep };
const command = { name: 'deploy', description: 'A command, not a tool' };
`,
    );
    expect(tools.map(({ name, nameChain, implementations }) => [name, nameChain, implementations])).toEqual([
      ['readTool', undefined, ['readTool.execute']],
      ['search', undefined, ['handleSearch']],
      ['ls', undefined, ['LsTool.execute']],
      ['NAMES.grep', true, ['runGrep']],
    ]);
  });

  test('JSX: a component is called, text in elements does not disturb', async () => {
    const { calls, parseErrors } = await factsOf(
      'view.tsx',
      'export const View = () => <Panel title="x"><b>hi</b><Row /></Panel>;\n',
    );
    expect(parseErrors).toBe(0);
    expect(calls.map(({ callee, scope }) => [callee, scope])).toEqual([
      ['Panel', 'View'],
      ['Row', 'View'],
    ]);
  });

  test('destructured names stand for members', async () => {
    const { locals, symbols } = await factsOf(
      'd.ts',
      'function f({ model, limit: max = 3 }: Options) { const { a, b: [c] } = model; }\n',
    );
    expect(symbols[0]?.parameters).toEqual([{ name: '{0}', type: 'Options' }]);
    expect(locals).toEqual([
      { scope: 'f', name: 'max', values: ['{0}.limit'] },
      { scope: 'f', name: 'model', values: ['{0}.model'] },
      { scope: 'f', name: 'c', values: ['model.b[]'] },
      { scope: 'f', name: 'a', values: ['model.a'] },
    ]);
  });

  test('a file that cannot be parsed whole still gives facts', async () => {
    const facts = await factsOf('broken.ts', 'function ok() { run(); }\nconst x = = ;\nclass After { m() {} }\n');
    expect(facts.parseErrors).toBeGreaterThan(0);
    expect(facts.symbols.map(({ qualname }) => qualname)).toEqual(expect.arrayContaining(['ok', 'After', 'After.m']));
  });
});
