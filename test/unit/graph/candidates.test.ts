import { describe, expect, test } from 'vitest';
import { ends, graphOf } from './sources';

const calls = async (sources: Record<string, string>, from: string) =>
  ends((await graphOf(sources)).graph, from, 'calls');

describe('what a call may not be taken for', () => {
  test('super() of a base without a constructor is no call of some other constructor', async () => {
    const sources = {
      'a.ts': 'export class Base { run() {} }\nexport class Mine extends Base { constructor() { super(); } }\n',
      'b.ts': 'export class Other { constructor() {} }\n',
      'a.py':
        'class Base:\n    def run(self): pass\n\nclass Mine(Base):\n    def __init__(self):\n        super().__init__()\n',
      'b.py': 'class Other:\n    def __init__(self): pass\n',
    };
    const { graph, counts } = await graphOf(sources);
    expect(ends(graph, 'a.ts#Mine.constructor', 'calls')).toEqual([]);
    expect(ends(graph, 'a.py#Mine.__init__', 'calls')).toEqual([]);
    expect(counts).toMatchObject({ external: 3, unresolved: 0 });
  });

  test('a class that is known and has no such method is not given the method of another class', async () => {
    const sources = {
      'a.py': 'from b import Client\n\ndef f():\n    Client().close_all()\n',
      'b.py': 'class Client:\n    def send(self): pass\n\nclass Pool:\n    def close_all(self): pass\n',
    };
    expect(await calls(sources, 'a.py#f')).toEqual([]);
    expect((await graphOf(sources)).graph.data.unresolved.map(({ text }) => text)).toEqual(['Client().close_all()']);
  });

  test('but a class that inherits from it may have it', async () => {
    const sources = {
      'a.py':
        'class Base:\n    def run(self):\n        self.step()\n\nclass Mine(Base):\n    def step(self): pass\n\nclass Other:\n    def step(self): pass\n',
    };
    expect(await calls(sources, 'a.py#Base.run')).toEqual(['a.py#Mine.step ?']);
  });

  test('an object that was just made is of no subclass; one from an annotation may be', async () => {
    const source = `export class Editor { type() {} }
export class VimEditor extends Editor { type() {} }
export function made() { const editor = new Editor(); editor.type(); }
export function given(editor: Editor) { editor.type(); }
`;
    expect(await calls({ 'a.ts': source }, 'a.ts#made')).toEqual(['a.ts#Editor.type']);
    expect(await calls({ 'a.ts': source }, 'a.ts#given')).toEqual(['a.ts#Editor.type', 'a.ts#VimEditor.type ?']);
  });

  test('what a function returns says more than the interface it is declared to return', async () => {
    const source = `interface Tool { execute(): void }
function createRead(): Tool { return { execute() {} }; }
function createEdit(): Tool { return { execute() {} }; }
export function f() { const tool: Tool = createRead(); tool.execute(); createEdit().execute(); }
export function g(tool: Tool) { tool.execute(); }
`;
    expect(await calls({ 'a.ts': source }, 'a.ts#f')).toEqual([
      'a.ts#createEdit',
      'a.ts#createEdit.execute',
      'a.ts#createRead',
      'a.ts#createRead.execute',
    ]);
    expect(await calls({ 'a.ts': source }, 'a.ts#g')).toEqual([
      'a.ts#createEdit.execute ?',
      'a.ts#createRead.execute ?',
    ]);
  });

  test('a plain name is no method of an object literal in the same function', async () => {
    const source = `export function send(data: string) {
  listen({ resolve: (text: string) => text });
  return new Promise((resolve) => resolve(data));
}
function listen(handlers: unknown) {}
`;
    expect(await calls({ 'a.ts': source }, 'a.ts#send')).toEqual(['a.ts#listen']);
  });

  test('the result of a list method is no function', async () => {
    const { graph } = await graphOf({
      'a.ts':
        'const lines = ["a"];\nconst empty = lines.filter((line) => line === "").length;\nconsole.log(JSON.stringify(empty));\n',
    });
    expect(graph.functions()).toEqual([]);
    expect(graph.data.edges.filter(({ kind }) => kind === 'calls')).toEqual([]);
  });

  test('what only tests hand over is not called by the harness', async () => {
    const sources = {
      'src/loop.ts': 'export function loop(model) { model(); }\n',
      'test/loop.test.ts': "import { loop } from '../src/loop';\nfunction fakeModel() {}\nloop(fakeModel);\n",
    };
    expect(await calls(sources, 'src/loop.ts#loop')).toEqual([]);
  });

  test('taking a listener away does not call it', async () => {
    const source = `function onKey() {}
export function start() { window.addEventListener('key', onKey); }
export function stop() { window.removeEventListener('key', onKey); }
`;
    expect(await calls({ 'a.ts': source }, 'a.ts#start')).toEqual(['a.ts#onKey ?']);
    expect(await calls({ 'a.ts': source }, 'a.ts#stop')).toEqual([]);
  });
});

describe('chains that need each other', () => {
  test('give the same answer whoever asks first', async () => {
    const one =
      'import { b } from "./b";\nexport function a(n) { return n ? new Agent() : b(n); }\nexport class Agent { go() {} }\n';
    const two =
      'import { a } from "./a";\nexport function b(n) { return a(n); }\nexport function use() { b(1).go(); a(1).go(); }\n';
    for (const sources of [
      { 'a.ts': one, 'b.ts': two },
      { 'b.ts': two, 'a.ts': one },
    ]) {
      expect(await calls(sources, 'b.ts#use')).toEqual(['a.ts#Agent.go', 'a.ts#a', 'b.ts#b']);
    }
  });
});
