import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { factsOf } from './sources';

const parts = async (source: string) => (await factsOf('s.py', source)).strings.map((fact) => fact.parts);
const symbolsOf = async (source: string) =>
  new Map((await factsOf('s.py', source)).symbols.map((symbol) => [symbol.qualname, symbol]));

describe('definitions of Python', () => {
  test('decorators belong to the range and are kept as written', async () => {
    const symbols = await symbolsOf(`import functools

@functools.lru_cache(maxsize=None)
@retry(times=3)
async def fetch(url: str, *args, timeout: float = 3.0, **kwargs) -> str:
    ...
`);
    expect(symbols.get('fetch')).toMatchObject({
      start: 3,
      end: 6,
      async: true,
      exported: true,
      decorators: ['@functools.lru_cache(maxsize=None)', '@retry(times=3)'],
      signature: 'fetch(url: str, *args, timeout: float = 3.0, **kwargs) -> str',
    });
    expect(symbols.get('fetch')?.parameters?.map(({ name }) => name)).toEqual(['url', 'args', 'timeout', 'kwargs']);
  });

  test('properties, cached properties and setters are read without a call; plain methods are not', async () => {
    const symbols = await symbolsOf(`class Agent:
    @property
    def cost(self): return 1
    @cost.setter
    def cost(self, value): self._cost = value
    @functools.cached_property
    def tools(self): return []
    @staticmethod
    def make(): return Agent()
    @classmethod
    def load(cls): return cls()
`);
    const getters = [...symbols].map(([name, { getter }]) => [name, getter ?? false]);
    expect(getters).toEqual([
      ['Agent', false],
      ['Agent.cost', true],
      ['Agent.cost~2', true],
      ['Agent.tools', true],
      ['Agent.make', false],
      ['Agent.load', false],
    ]);
  });

  test('functions in functions and classes in functions carry the path to them', async () => {
    const symbols = await symbolsOf(`def build():
    class Local:
        def run(self):
            def retry():
                for _ in range(3):
                    while True:
                        pass
            return retry
    return Local
`);
    expect([...symbols.keys()]).toEqual(['build', 'build.Local', 'build.Local.run', 'build.Local.run.retry']);
    expect(symbols.get('build.Local.run.retry')).toMatchObject({
      kind: 'function',
      loops: [
        { start: 5, end: 7 },
        { start: 6, end: 7 },
      ],
    });
    expect(symbols.get('build.Local.run')).toMatchObject({ kind: 'method' });
    expect(symbols.get('build.Local.run')?.loops).toBeUndefined();
  });

  test('a name defined in both arms of a condition is two symbols', async () => {
    const symbols = await symbolsOf(
      'try:\n    import fast\n    def parse(x): return fast.parse(x)\nexcept ImportError:\n    def parse(x): return x\n',
    );
    expect([...symbols].map(([name, { start }]) => [name, start])).toEqual([
      ['parse', 3],
      ['parse~2', 5],
    ]);
  });

  test('private names are not exported; doc sentences end at the first full stop', async () => {
    const symbols = await symbolsOf(
      'def _hidden():\n    """Cuts e.g. long lines\n    at 80. More.\n\n    Details."""\n\nclass _C: pass\n_state = 1\n',
    );
    expect([...symbols.values()].map(({ name, exported }) => [name, exported])).toEqual([
      ['_hidden', false],
      ['_C', false],
      ['_state', false],
    ]);
    expect(symbols.get('_hidden')?.doc).toBe('Cuts e.g. long lines at 80.');
  });

  test('fields of data classes are attributes with type and default', async () => {
    const { attributes } = await factsOf(
      's.py',
      `@dataclass
class Config:
    model: str
    limit: int = 40
    tools: list[Tool] = field(default_factory=list)
    template: Template | None = None
`,
    );
    expect(attributes.map(({ owner, name, type, detail, line }) => [owner, name, type, detail, line])).toEqual([
      ['Config', 'model', 'str', undefined, 3],
      ['Config', 'limit', 'int', '40', 4],
      ['Config', 'tools', 'list[Tool]', 'field(default_factory=list)', 5],
      ['Config', 'template', 'Template | None', 'None', 6],
    ]);
  });
});

describe('calls and names of Python', () => {
  const callees = async (source: string) =>
    (await factsOf('s.py', source)).calls.map(({ callee, scope }) => `${scope}: ${callee}`);

  test('in comprehensions, walrus expressions, lambdas, decorators and defaults', async () => {
    expect(
      await callees(`def run(items):
    found = [parse(item) for item in load(items) if check(item)]
    by = {key(x): value(x) for x in found}
    if (reply := ask(found)) is not None:
        return reply.get()
    later(lambda x: deep(x))
    assert guard(by), message()
    with lock() as held, open(path()) as handle:
        raise Stop(reason())
`),
    ).toEqual(
      [
        'parse',
        'load',
        'check',
        'key',
        'value',
        'ask',
        'reply.get',
        'deep',
        'later',
        'guard',
        'message',
        'lock',
        'path',
        'open',
        'reason',
        'Stop',
      ].map((name) => `run: ${name}`),
    );
  });

  test('in f-strings, conditions, awaits and generators', async () => {
    expect(
      await callees(
        'async def f():\n    yield f"{head(x)} of {await tail(y)}"\n    return a() if b() else (await c()).d()\n',
      ),
    ).toEqual(['f: head', 'f: tail', 'f: a', 'f: b', 'f: c', 'f: c().d']);
  });

  test('a walrus and a with bind names to what they stand for', async () => {
    const { locals } = await factsOf(
      's.py',
      'def f():\n    if (m := find()):\n        pass\n    with Session() as session:\n        pass\n    for step in steps():\n        pass\n',
    );
    expect(locals).toEqual([
      { scope: 'f', name: 'm', values: ['find()'] },
      { scope: 'f', name: 'session', values: ['Session()'] },
      { scope: 'f', name: 'step', values: ['steps()[]'] },
    ]);
  });

  test('imports of every form', async () => {
    const { imports, exports } = await factsOf(
      's.py',
      'from . import tools, state as st\nfrom .. import base\nfrom ..core.loop import (\n    run,\n    stop as halt,\n)\nimport a.b.c\nimport d.e as de\nfrom x import *\ndef late():\n    from .lazy import thing\n',
    );
    expect(imports.map(({ local, module, name, line }) => `${line} ${local} = ${module} : ${name}`)).toEqual([
      '1 tools = . : tools',
      '1 st = . : state',
      '2 base = .. : base',
      '3 run = ..core.loop : run',
      '3 halt = ..core.loop : stop',
      '7 a = a : *',
      '7 a.b.c = a.b.c : *',
      '8 de = d.e : *',
      '11 thing = .lazy : thing',
    ]);
    expect(exports).toEqual([{ exported: '*', module: 'x', chain: '*' }]);
  });

  test('module state: global, augmented, deleted and subscripted writes; locals are none', async () => {
    const { accesses } = await factsOf(
      's.py',
      `CACHE = {}
COUNT = 0

def add(key, value):
    global COUNT
    COUNT += 1
    CACHE[key] = value
    del CACHE["old"]
    local = 3
    return local + COUNT

def shadow(COUNT):
    return COUNT
`,
    );
    const seen = accesses
      .filter(({ callback }) => !callback)
      .map(({ chain, scope, line, write }) => `${scope}:${line} ${write ? 'writes' : 'reads'} ${chain}`);
    expect(seen).toEqual([
      ':1 writes CACHE',
      ':2 writes COUNT',
      'add:6 writes COUNT',
      'add:6 reads COUNT',
      'add:7 writes CACHE',
      'add:7 reads CACHE',
      'add:8 writes CACHE',
      'add:8 reads CACHE',
      'add:10 reads COUNT',
    ]);
  });
});

describe('strings of Python', () => {
  test.each([
    ['a = f"The step {i} of {total:>4} steps {name!r}"', ['The step ', null, ' of ', null, ' steps ', null]],
    ['a = f"{{not a field}} but {this} is"', ['{not a field} but ', null, ' is']],
    ['a = "Found {} files in {folder}".format(n, folder=f)', ['Found ', null, ' files in ', null]],
    ['a = "Ratio {0:.2f} and {x[key]!r:<10} done".format(r, x=x)', ['Ratio ', null, ' and ', null, ' done']],
    ['a = "Write {{json}} with {name} now".format(name=n)', ['Write {json} with ', null, ' now']],
    ['a = "Exit code %d: %s (%(why)s) took %.2f" % x', ['Exit code ', null, ': ', null, ' (', null, ') took ', null]],
    ['a = "Used 100%% of the budget of %s" % name', ['Used 100% of the budget of ', null]],
    ['a = "Prompt for {{ user }} only{% if x %} now{% endif %}"', ['Prompt for ', null, ' only', null, ' now', null]],
    ['a = ("first part and " f"{value} then " "the rest")', ['first part and ', null, ' then the rest']],
    ['a = "caf\\u00e9 costs \\x41 \\N{BULLET} \\U0001F600 end"', ['café costs A \\N{BULLET} \u{1F600} end']],
    ['a = "unknown \\d stays, known \\t goes"', ['unknown \\d stays, known \t goes']],
    ['a = r"\\d+ matches\\u0041 digits"', ['\\d+ matches\\u0041 digits']],
    ['a = "two \\\n lines joined"', ['two  lines joined']],
    ['a = """block of text\nwith \\"quotes\\" inside\n"""', ['block of text\nwith "quotes" inside\n']],
  ])('%s', async (source, expected) => {
    expect(await parts(`${source}\n`)).toEqual([expected]);
  });

  test('short strings and doc strings are not kept', async () => {
    expect(
      await parts('"""The module, at length."""\na = "short"\ndef f():\n    "The function, at length."\n'),
    ).toEqual([]);
  });

  test('plain text of any letters comes back whole', async () => {
    await fc.assert(
      fc.asyncProperty(fc.stringMatching(/^[\w ,.:;<>/é…'"\\\n\t-]{20,60}$/), async (text) => {
        fc.pre(text.trim().length >= 12);
        expect(await parts(`a = ${JSON.stringify(text)}\n`)).toEqual([[text]]);
      }),
      { numRuns: 60 },
    );
  });
});

describe('tools and configuration of Python', () => {
  const tools = async (source: string) =>
    (await factsOf('s.py', source)).tools.map(({ name, description, implementations }) => ({
      name,
      description,
      implementations,
    }));

  test('decorators of several libraries', async () => {
    expect(
      await tools(`@tool("web_search")
def search(q): "Searches."

@mcp.tool()
async def read_file(path: str) -> str:
    """Reads a file. Second."""

@function_tool(name_override="x", description="Adds numbers")
def add(a, b): ...

class Box:
    @agent.tool_plain
    def dice(self): ...

@toolbox
def not_a_tool(): ...
`),
    ).toEqual([
      { name: 'web_search', description: 'Searches.', implementations: ['search'] },
      { name: 'read_file', description: 'Reads a file. Second.', implementations: ['read_file'] },
      { name: 'add', description: 'Adds numbers', implementations: ['add'] },
      { name: 'dice', description: undefined, implementations: ['Box.dice'] },
    ]);
  });

  test('dictionaries need a schema; a person with a name is no tool', async () => {
    expect(
      await tools(`TOOLS = [
    {"name": "edit", "description": "Edits", "input_schema": {"type": "object"}},
    {"type": "function", "function": {"name": BASH, "description": "Runs", "parameters": {}}},
    {"name": "Ada", "description": "A person"},
]
`),
    ).toEqual([
      { name: 'edit', description: 'Edits', implementations: [] },
      { name: 'BASH', description: 'Runs', implementations: [] },
    ]);
  });

  test('environment: every way to read, none to write', async () => {
    const { configurations } = await factsOf(
      's.py',
      `import os
from os import environ, getenv
def f():
    a = os.environ["TOKEN"]
    b = environ.get("BASE", default="http://x")
    c = getenv("DEPTH") or "3"
    os.environ["SET"] = "1"
    os.environ.setdefault("KEEP", "yes")
    if "FLAG" in os.environ: ...
`,
    );
    expect(configurations.map(({ key, line, default: otherwise }) => [key, line, otherwise])).toEqual([
      ['TOKEN', 4, undefined],
      ['BASE', 5, '"http://x"'],
      ['DEPTH', 6, undefined],
      ['KEEP', 8, '"yes"'],
    ]);
  });
});
