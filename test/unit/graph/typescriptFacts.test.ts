import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { factsOf } from './sources';

const symbolsOf = async (source: string, path = 's.ts') =>
  new Map((await factsOf(path, source)).symbols.map((symbol) => [symbol.qualname, symbol]));
const parts = async (source: string) => (await factsOf('s.ts', source)).strings.map((fact) => fact.parts);

describe('definitions of TypeScript and JavaScript', () => {
  test('fields with arrows are methods, other fields are attributes', async () => {
    const { symbols, attributes } = await factsOf(
      's.ts',
      `export class Agent {
  static count = 0;
  private handlers = new Map<string, Handler>();
  onStep = async (step: Step): Promise<void> => { this.push(step); };
  static make = () => new Agent();
  #secret = function () { return 1; };
  declare model: Model;
}
`,
    );
    expect(symbols.map(({ qualname, kind, async }) => [qualname, kind, async ?? false])).toEqual([
      ['Agent', 'class', false],
      ['Agent.onStep', 'method', true],
      ['Agent.make', 'method', false],
      ['Agent.#secret', 'method', false],
    ]);
    expect(attributes.map(({ name, type, detail }) => [name, type, detail])).toEqual([
      ['count', undefined, '0'],
      ['handlers', 'Map<string, Handler>', 'new Map<string, Handler>()'],
      ['model', 'Model', undefined],
    ]);
  });

  test('getters, setters, generators, asynchronous iteration and their loops', async () => {
    const symbols = await symbolsOf(`class Loop {
  get size() { return 1; }
  set size(value) { this.n = value; }
  static async *steps(): AsyncGenerator<Step> {
    for await (const step of source()) {
      do { yield step; } while (more());
    }
    for (const key in object) {}
  }
}
export function* numbers() { yield 1; }
`);
    expect(symbols.get('Loop.size')).toMatchObject({ getter: true, start: 2 });
    expect(symbols.get('Loop.size~2')).toMatchObject({ getter: true, start: 3 });
    expect(symbols.get('Loop.steps')).toMatchObject({ async: true, returns: 'AsyncGenerator<Step>' });
    expect(symbols.get('Loop.steps')?.loops).toEqual([
      { start: 5, end: 7 },
      { start: 6, end: 6 },
      { start: 8, end: 8 },
    ]);
    expect(symbols.get('numbers')).toMatchObject({ kind: 'function', exported: true });
  });

  test('functions in object literals carry the path of their keys', async () => {
    const symbols = await symbolsOf(`export const tools = {
  'read-file': { run: async () => {} },
  write: { run() {} },
  [computed]: () => {},
};
const wrapped = memo(() => {});
export default { handle() {} };
`);
    expect([...symbols.keys()]).toEqual([
      'tools',
      'tools.read-file.run',
      'tools.write.run',
      'tools.computed',
      'wrapped',
      'wrapped~2',
      'handle',
    ]);
    expect(symbols.get('tools.read-file.run')).toMatchObject({ kind: 'method', start: 2 });
    expect([symbols.get('wrapped')?.kind, symbols.get('wrapped~2')?.kind]).toEqual(['variable', 'function']);
  });

  test('default exports: a class, a function, an arrow, a name', async () => {
    for (const [source, chain] of [
      ['export default class Agent {}', 'Agent'],
      ['export default function run() {}', 'run'],
      ['export default () => {};', 'default'],
      ['function go() {}\nexport default go;', 'go'],
      ['class A {}\nexport { A as default };', 'A'],
    ] as const) {
      const { exports } = await factsOf('s.ts', `${source}\n`);
      expect(exports, source).toEqual([{ exported: 'default', module: null, chain }]);
    }
  });

  test('CommonJS in every form', async () => {
    const { imports, exports, symbols } = await factsOf(
      's.js',
      `const { run: start, stop } = require('./loop');
const fs = require('fs');
module.exports = class Agent {};
module.exports.make = () => {};
exports.stop = stop;
`,
    );
    expect(imports.map(({ local, module, name }) => [local, module, name])).toEqual([
      ['start', './loop', 'run'],
      ['stop', './loop', 'stop'],
      ['fs', 'fs', '*'],
    ]);
    expect(exports.map(({ exported }) => exported)).toEqual(['default', 'make', 'stop']);
    expect(symbols.map(({ kind }) => kind)).toEqual(['class', 'function']);
  });

  test('documentation: the first sentence, without tags, of what it stands before', async () => {
    const symbols = await symbolsOf(
      '/** Runs it. Then stops.\n * @param x what\n */\nexport const run = (x: string) => x;\n\n// no doc\nfunction plain() {}\n',
    );
    expect(symbols.get('run')?.doc).toBe('Runs it.');
    expect(symbols.get('plain')?.doc).toBeUndefined();
  });
});

describe('calls of TypeScript and JavaScript', () => {
  const callees = async (source: string) => (await factsOf('s.ts', source)).calls.map(({ callee }) => callee);

  test('optional chaining, non-null, assertions and awaits do not hide what is called', async () => {
    expect(
      await callees(
        'async function f(a: A) { a?.b?.c?.(); a!.d(); (a as B).e(); (await a.f()).g(); a.list[0]!.h(); (a satisfies C).i(); }\n',
      ),
    ).toEqual(['a.b.c', 'a.d', 'a.e', 'a.f', 'a.f().g', 'a.list[].h', 'a.i']);
  });

  test('templates, tagged templates, spread, defaults and conditions', async () => {
    expect(
      await callees(
        'function f(x = init()) { const t = `a ${name(x)} b`; go(...list(), { k: value() }); return ok() ? yes() : no(); }\n',
      ),
    ).toEqual(['init', 'name', 'list', 'value', 'go', 'ok', 'yes', 'no']);
  });

  test('environment: dots, brackets, defaults, other runtimes; writes are none', async () => {
    const { configurations } = await factsOf(
      's.ts',
      `const a = process.env.API_KEY;
const b = process.env['BASE_URL'] || 'http://x';
const c = Number(process.env.DEPTH ?? 3);
const d = import.meta.env.MODE;
const e = Deno.env.get('HOME');
process.env.SET = '1';
const f = config.get('model', 'gpt');
`,
    );
    expect(configurations.map(({ key, default: otherwise }) => [key, otherwise])).toEqual([
      ['API_KEY', undefined],
      ['BASE_URL', "'http://x'"],
      ['DEPTH', '3'],
      ['MODE', undefined],
      ['HOME', undefined],
      ['model', "'gpt'"],
    ]);
  });

  test('environment names taken out of process.env', async () => {
    const { configurations } = await factsOf('s.ts', "const { API_KEY, DEPTH = '3', HOME: home } = process.env;\n");
    expect(configurations.map(({ key, line, default: otherwise }) => [key, line, otherwise])).toEqual([
      ['API_KEY', 1, undefined],
      ['DEPTH', 1, "'3'"],
      ['HOME', 1, undefined],
    ]);
  });
});

describe('tools of TypeScript', () => {
  const tools = async (source: string) =>
    (await factsOf('s.ts', source)).tools.map(({ name, description, implementations }) => [
      name,
      description,
      implementations,
    ]);

  test('schemas of zod, in a call, a map of tools, and a list', async () => {
    expect(
      await tools(`export const tools = {
  readFile: tool({ description: 'Read a file', inputSchema: z.object({ path: z.string() }), execute: async ({ path }) => read(path) }),
};
const list = [{ name: 'edit', description: 'Edit it', parameters: z.object({}), execute: runEdit }];
`),
    ).toEqual([
      ['readFile', 'Read a file', ['tools.readFile.execute']],
      ['edit', 'Edit it', ['runEdit']],
    ]);
  });

  test('servers: a handler by name, by arrow, and with the description as an argument', async () => {
    expect(
      await tools(`function setup(server: Server) {
  server.tool('list', 'Lists files', { path: z.string() }, listFiles);
  server.registerTool('find', { description: 'Finds text', inputSchema: {} }, async () => search());
}
`),
    ).toEqual([
      ['list', 'Lists files', ['listFiles']],
      ['find', 'Finds text', ['setup']],
    ]);
  });

  test('classes: fields, and the base class that gets the name', async () => {
    expect(
      await tools(`class Ls extends BaseTool<P> {
  static readonly Name = 'ls';
  constructor() { super('ls', 'List', 'Lists a folder of the work space', Kind.Read); }
  execute() {}
}
class Grep { readonly name = 'grep'; readonly description = 'Find'; async run() {} }
class Person { name = 'Ada'; description = 'No tool'; }
`),
    ).toEqual([
      ['ls', 'Lists a folder of the work space', ['Ls.execute']],
      ['grep', 'Find', ['Grep.run']],
    ]);
  });
});

describe('strings of TypeScript', () => {
  test.each([
    ['const a = `Step ${i} of ${total} is running`;', ['Step ', null, ' of ', null, ' is running']],
    ["const a = 'It\\'s caf\\u00e9 \\u{1F600} \\x41 time';", ["It's café \u{1F600} A time"]],
    ['const a = `outer ${f(`inner text here`)} and the end`;', ['outer ', null, ' and the end']],
    ["const a = 'Hello {{ name }} and welcome';", ['Hello ', null, ' and welcome']],
    ['const a = `a \\`quoted\\` word and \\${no} hole`;', ['a `quoted` word and ${no} hole']],
  ])('%s', async (source, expected) => {
    expect((await parts(`${source}\n`))[0]).toEqual(expected);
  });

  test('text of any letters comes back whole', async () => {
    await fc.assert(
      fc.asyncProperty(fc.stringMatching(/^[\w ,.:;<>/é…'"\\\n\t-]{20,60}$/), async (text) => {
        fc.pre(text.trim().length >= 12);
        expect(await parts(`const a = ${JSON.stringify(text)};\n`)).toEqual([[text]]);
      }),
      { numRuns: 60 },
    );
  });
});
