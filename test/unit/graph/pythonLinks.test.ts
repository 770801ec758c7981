import { describe, expect, test } from 'vitest';
import { ends, graphOf } from './sources';

/** Ends of the calls of one function in a single file, without the file name. */
async function callsIn(source: string, from: string): Promise<string[]> {
  const { graph } = await graphOf({ 'a.py': source });
  return ends(graph, `a.py#${from}`, 'calls').map((end) => end.replace('a.py#', ''));
}

describe('modules of a package', () => {
  const sources = {
    'pkg/__init__.py': 'from .agent import Agent\nfrom . import tools\n__all__ = ["Agent", "tools"]\n',
    'pkg/agent.py': `from . import tools, state as st
from .envs.local import LocalEnv
from .envs import remote

class Agent:
    def run(self):
        tools.bash("ls")
        st.save()
        LocalEnv().execute()
        remote.execute()
`,
    'pkg/tools.py': 'def bash(command): pass\n',
    'pkg/state.py': 'def save(): pass\n',
    'pkg/envs/__init__.py': '',
    'pkg/envs/local.py': 'from ..tools import bash\n\nclass LocalEnv:\n    def execute(self):\n        bash("pwd")\n',
    'pkg/envs/remote.py': 'from ... import outside\n\ndef execute():\n    outside.elsewhere()\n',
    'main.py': 'from pkg import Agent, tools\nimport pkg.state\n\nAgent().run()\ntools.bash("x")\npkg.state.save()\n',
  };

  test('from . import, relative imports of both depths and re-exports lead to the definitions', async () => {
    const { graph } = await graphOf(sources);
    expect(ends(graph, 'pkg/agent.py#Agent.run', 'calls')).toEqual([
      'pkg/envs/local.py#LocalEnv.execute',
      'pkg/envs/remote.py#execute',
      'pkg/state.py#save',
      'pkg/tools.py#bash',
    ]);
    expect(ends(graph, 'pkg/envs/local.py#LocalEnv.execute', 'calls')).toEqual(['pkg/tools.py#bash']);
    expect(ends(graph, 'main.py', 'calls')).toEqual([
      'pkg/agent.py#Agent.run',
      'pkg/state.py#save',
      'pkg/tools.py#bash',
    ]);
  });

  test('an import above the repository leads nowhere', async () => {
    const { graph } = await graphOf(sources);
    expect(graph.out('pkg/envs/remote.py#execute', 'calls')).toEqual([]);
    expect(ends(graph, 'pkg/envs/remote.py', 'imports')).toEqual([]);
  });

  test('an alias of a module variable and of a class is followed', async () => {
    const { graph } = await graphOf({
      'a.py': 'class Real:\n    def go(self): pass\n\nAlias = Real\ndef run(): pass\nstart = run\n',
      'b.py': 'from a import Alias as Other, start as begin\n\ndef f():\n    Other().go()\n    begin()\n',
    });
    expect(ends(graph, 'b.py#f', 'calls')).toEqual(['a.py#Real.go', 'a.py#run']);
    expect(ends(graph, 'b.py#f', 'constructs')).toEqual(['a.py#Real']);
  });
});

describe('types that annotations state', () => {
  const tool = 'class Tool:\n    def use(self): pass\n\nclass Other:\n    def use(self): pass\n\n';

  test.each([
    ['Tool'],
    ['"Tool"'],
    ['Optional[Tool]'],
    ['Tool | None'],
    ['Union[None, Tool]'],
    ['Annotated[Tool, "note"]'],
  ])('a parameter of type %s', async (type) => {
    expect(await callsIn(`${tool}def f(x: ${type}):\n    x.use()\n`, 'f')).toEqual(['Tool.use']);
  });

  test('a union of two classes gives both', async () => {
    expect(await callsIn(`${tool}def f(x: Tool | Other):\n    x.use()\n`, 'f')).toEqual(['Other.use', 'Tool.use']);
  });

  test.each([
    ['list[Tool]', 'for x in xs: x.use()'],
    ['Sequence["Tool"]', 'xs[0].use()'],
    ['dict[str, Tool]', 'xs["a"].use()'],
    ['dict[str, Tool]', 'xs.get("a").use()'],
    ['dict[str, Tool]', 'for x in xs.values(): x.use()'],
    ['dict[str, Tool]', 'for name, x in xs.items(): x.use()'],
    ['dict[str, list[Tool]]', 'for x in xs["a"]: x.use()'],
    ['list[Tool]', '[x.use() for x in xs]'],
    ['list[Tool]', 'for i, x in enumerate(xs): x.use()'],
    ['list[Tool]', 'for x in sorted(xs, key=len): x.use()'],
    ['list[Tool]', 'for n, x in zip(names, xs): x.use()'],
    ['list[Tool]', 'n, x = 3, xs[0]; x.use()'],
    ['Iterator[Tool]', 'x = next(xs); x.use()'],
  ])('an element of %s: %s', async (type, statement) => {
    expect(await callsIn(`${tool}def f(xs: ${type}):\n    ${statement}\n`, 'f')).toContain('Tool.use');
    expect(await callsIn(`${tool}def f(xs: ${type}):\n    ${statement}\n`, 'f')).not.toContain('Other.use');
  });

  test('fields of data classes and what a constructor assigns', async () => {
    const source = `${tool}
@dataclass
class Config:
    tool: Tool
    others: list[Other] = field(default_factory=list)

class Agent:
    shared: Tool
    def __init__(self, config: Config):
        self.config = config
        self.made = Other()
    def a(self): self.config.tool.use()
    def b(self):
        for each in self.config.others: each.use()
    def c(self): self.shared.use()
    def d(self): self.made.use()
`;
    expect(await callsIn(source, 'Agent.a')).toEqual(['Tool.use']);
    expect(await callsIn(source, 'Agent.b')).toEqual(['Other.use']);
    expect(await callsIn(source, 'Agent.c')).toEqual(['Tool.use']);
    expect(await callsIn(source, 'Agent.d')).toEqual(['Other.use']);
  });

  test('awaited results, properties, class methods that return the class, context managers', async () => {
    const source = `${tool}
class Box:
    @property
    def tool(self) -> Tool: ...
    @classmethod
    def load(cls) -> "Box": ...
    async def fetch(self) -> Other: ...

async def a(): Box.load().tool.use()
async def b(box: Box): (await box.fetch()).use()
def c():
    with Tool() as t:
        t.use()
`;
    expect(await callsIn(source, 'a')).toEqual(['Box.load', 'Box.tool', 'Tool.use']);
    expect(await callsIn(source, 'b')).toEqual(['Box.fetch', 'Other.use']);
    expect(await callsIn(source, 'c')).toEqual(['Tool.use']);
  });
});

describe('inheritance, protocols and overrides', () => {
  const source = `from abc import ABC, abstractmethod

class Base(ABC):
    def run(self):
        self.prepare()
        return self.step()
    def prepare(self): return clean()
    def finish(self): pass
    @abstractmethod
    def step(self): ...

class First(Base):
    def step(self):
        return super().prepare()

class Second(Base):
    def prepare(self):
        super().prepare()
    def step(self): pass

class Third(Second):
    pass

def clean(): pass

def use(base: Base):
    base.step()

def one():
    Third().run()
`;

  test('a method of self leads to itself and to its overrides, an abstract one only to overrides', async () => {
    expect(await callsIn(source, 'Base.run')).toEqual([
      'Base.prepare',
      'First.step ?',
      'Second.prepare ?',
      'Second.step ?',
    ]);
    expect(await callsIn(source, 'use')).toEqual(['First.step ?', 'Second.step ?']);
  });

  test('super() leads to the base only', async () => {
    expect(await callsIn(source, 'First.step')).toEqual(['Base.prepare']);
    expect(await callsIn(source, 'Second.prepare')).toEqual(['Base.prepare']);
  });

  test('an inherited method is found through two bases, and inheritance is an edge', async () => {
    expect(await callsIn(source, 'one')).toEqual(['Base.run']);
    const { graph } = await graphOf({ 'a.py': source });
    expect(ends(graph, 'a.py#Third', 'inherits')).toEqual(['a.py#Second']);
    expect(graph.in('a.py#Base', 'inherits').map(({ from }) => from)).toEqual(['a.py#First', 'a.py#Second']);
  });

  test('a protocol leads to every class that has all of its methods, and to no other', async () => {
    const { graph } = await graphOf({
      'a.py': `class Model(Protocol):
    def query(self, m): ...
    def cost(self): ...

class Whole:
    def query(self, m): pass
    def cost(self): pass

class Half:
    def query(self, m): pass

def f(model: Model):
    model.query([])
`,
    });
    expect(ends(graph, 'a.py#f', 'calls')).toEqual(['a.py#Whole.query ?']);
  });
});
