import { describe, expect, test } from 'vitest';
import { ends, graphOf } from './sources';

const calls = async (sources: Record<string, string>, from: string) =>
  ends((await graphOf(sources)).graph, from, 'calls');

describe('registries in Python', () => {
  test('a dictionary that a decorator fills', async () => {
    const source = `REGISTRY = {}

def register(name):
    def wrap(function):
        REGISTRY[name] = function
        return function
    return wrap

@register("read")
def read(): pass

@register("write")
async def write(): pass

def run(name):
    REGISTRY[name]()
`;
    expect(await calls({ 'a.py': source }, 'a.py#run')).toEqual(['a.py#read', 'a.py#write']);
    expect(await calls({ 'a.py': source }, 'a.py')).toContain('a.py#register.wrap');
  });

  test('a dictionary and a list of the own object, filled here and by a method', async () => {
    const source = `class Router:
    def __init__(self):
        self.handlers = {}
        self.hooks = []
        self.handlers["x"] = self.on_x
        self.add("y", self.on_y)
        self.hooks.append(self.on_hook)

    def add(self, name, handler):
        self.handlers[name] = handler

    def on_x(self): pass
    def on_y(self): pass
    def on_hook(self): pass

    def run(self, name):
        self.handlers[name]()
        for hook in self.hooks:
            hook()
`;
    expect(await calls({ 'a.py': source }, 'a.py#Router.run')).toEqual([
      'a.py#Router.on_hook',
      'a.py#Router.on_x',
      'a.py#Router.on_y',
    ]);
  });

  test('a member by its name in a text, and a function with some arguments set', async () => {
    const source = `from functools import partial

class A:
    def do_x(self): pass
    def _call(self, n): pass
    @property
    def call(self):
        return partial(self._call, 1)
    def run(self):
        getattr(self, "do_x")()
        self.call()
`;
    expect(await calls({ 'a.py': source }, 'a.py#A.run')).toEqual(['a.py#A._call', 'a.py#A.do_x']);
  });

  test.each(['constructor', 'toString', '__proto__'])('a key may be called %s', async (key) => {
    const { graph } = await graphOf({
      'a.py': `def read(x): pass\n\nTOOLS = {}\nTOOLS["${key}"] = read\n\ndef f(name, x):\n    TOOLS[name](x)\n`,
    });
    expect(ends(graph, 'a.py#f', 'calls')).toEqual(['a.py#read']);
  });
});

describe('registries in TypeScript', () => {
  test('an object of functions, by any key and by one', async () => {
    const source = `function read() {}
function write() {}
const handlers: Record<string, () => void> = { read, put: write, close() {} };
export function run(name: string) { handlers[name](); }
export function one() { handlers.put(); }
`;
    expect(await calls({ 'a.ts': source }, 'a.ts#run')).toEqual(['a.ts#read', 'a.ts#write']);
    expect(await calls({ 'a.ts': source }, 'a.ts#one')).toEqual(['a.ts#write']);
  });

  test('a map that is filled at once, later, or by a method', async () => {
    const source = `function f() {}
function g() {}
const known = new Map([['a', f]]);
known.set('b', g);
export function run(name: string) { known.get(name)?.(); }
export class Registry {
  private readonly handlers = new Map<string, () => void>();
  constructor() { this.add('x', onX); }
  add(name: string, handler: () => void) { this.handlers.set(name, handler); }
  run(name: string) { const handler = this.handlers.get(name); handler?.(); }
}
function onX() {}
`;
    expect(await calls({ 'a.ts': source }, 'a.ts#run')).toEqual(['a.ts#f', 'a.ts#g']);
    expect(
      await calls(
        { 'a.js': source.replace(/<string, .. => void>|: string|: .. => void|private readonly /g, '') },
        'a.js#Registry.run',
      ),
    ).toEqual(['a.js#onX']);
  });

  test('a local of one function is no list of another', async () => {
    const source = `function f() {}
export function fill() { const list = []; list.push(f); }
export function run() { const list = []; list[0](); }
`;
    expect(await calls({ 'a.js': source }, 'a.js#run')).toEqual([]);
  });
});

describe('what is given to another object', () => {
  test('a function written there, a named one, and none of another class', async () => {
    const sources = {
      'a.ts':
        'export class Selector { onPick?: (x: string) => void; pick() { this.onPick?.("x"); } }\nexport class Other { onPick?: () => void; }\n',
      'b.ts': `import { Other, Selector } from './a';
export function open() { const selector = new Selector(); selector.onPick = (x) => { use(x); }; }
export function reuse(selector: Selector) { selector.onPick = handle; }
export function other() { const other = new Other(); other.onPick = () => {}; }
function handle() {}
function use(x: string) {}
`,
    };
    expect(await calls(sources, 'a.ts#Selector.pick')).toEqual(['b.ts#handle', 'b.ts#open.onPick']);
  });

  test('in Python too', async () => {
    const sources = {
      'a.py':
        'class Selector:\n    def __init__(self):\n        self.on_pick = None\n    def pick(self):\n        self.on_pick("x")\n',
      'b.py':
        'from a import Selector\n\ndef open_it():\n    selector = Selector()\n    selector.on_pick = handle\n\ndef handle(x): pass\n',
    };
    expect(await calls(sources, 'a.py#Selector.pick')).toEqual(['b.py#handle']);
  });
});

describe('object literals without a name', () => {
  const source = `interface Result { session: Session }
export class Session { go() {} }
class Agent { constructor(options: unknown) {} }
export function create(): Result {
  const agent = new Agent({ convert() { return this.helper(); }, helper() {} });
  return { session: new Session() };
}
export function use() { const { session } = create(); session.go(); }
interface Tool { run(): void }
export function tools(): Tool[] { return [{ run() {} }]; }
export function all() { for (const tool of tools()) tool.run(); }
`;

  test('an argument is not what the function returns', async () => {
    expect(await calls({ 'a.ts': source }, 'a.ts#use')).toEqual(['a.ts#Session.go', 'a.ts#create']);
    expect(await calls({ 'a.ts': source }, 'a.ts#create.convert')).toEqual(['a.ts#create.helper']);
  });

  test('a returned one is, in a list too', async () => {
    expect(await calls({ 'a.ts': source }, 'a.ts#all')).toEqual(['a.ts#tools', 'a.ts#tools.run']);
  });
});
