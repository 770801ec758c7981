import { describe, expect, test } from 'vitest';
import { ends, factsOf, graphOf } from './sources';

const calls = async (sources: Record<string, string>, from: string) =>
  ends((await graphOf(sources)).graph, from, 'calls');

describe('packages of a TypeScript repository', () => {
  const library = {
    'packages/ai/package.json':
      '{ "name": "@acme/ai", "main": "./dist/index.js", "exports": { ".": { "import": "./dist/index.js" }, "./tools": "./dist/tools.js" } }',
    'packages/ai/src/index.ts': "export { ask } from './ask.js';\nexport * as shapes from './shapes';\n",
    'packages/ai/src/ask.ts': 'export async function ask() {}\n',
    'packages/ai/src/tools.ts': 'export const tool = () => {};\n',
    'packages/ai/src/shapes.ts': 'export function box() {}\n',
    'packages/app/package.json': '{ "name": "@acme/app" }',
  };

  test('published entries mean the sources they are compiled from', async () => {
    const sources = {
      ...library,
      'packages/app/src/main.ts':
        "import { ask, shapes } from '@acme/ai';\nimport { tool } from '@acme/ai/tools';\nexport function main() { ask(); tool(); shapes.box(); }\n",
    };
    expect(await calls(sources, 'packages/app/src/main.ts#main')).toEqual([
      'packages/ai/src/ask.ts#ask',
      'packages/ai/src/shapes.ts#box',
      'packages/ai/src/tools.ts#tool',
    ]);
  });

  test('a package whose name only begins alike is another', async () => {
    const sources = {
      ...library,
      'packages/app/src/main.ts': "import { ask } from '@acme/ai-extra';\nexport function main() { ask(); }\n",
    };
    expect(await calls(sources, 'packages/app/src/main.ts#main')).toEqual([]);
  });

  test('an alias means the source folder of the own package before that of the repository', async () => {
    const sources = {
      'src/text.ts': 'export function clip() {}\n',
      'packages/app/src/text.ts': 'export function clip() {}\n',
      'packages/app/src/deep/main.ts': "import { clip } from '@/text';\nexport function main() { clip(); }\n",
      'src/main.ts': "import { clip } from '~/text';\nexport function main() { clip(); }\n",
    };
    expect(await calls(sources, 'packages/app/src/deep/main.ts#main')).toEqual(['packages/app/src/text.ts#clip']);
    expect(await calls(sources, 'src/main.ts#main')).toEqual(['src/text.ts#clip']);
  });

  test('re-exports in a circle end, and still give what one of them has', async () => {
    const sources = {
      'a.ts': "export * from './b';\nexport function own() {}\n",
      'b.ts': "export * from './a';\nexport * from './c';\n",
      'c.ts': 'export function far() {}\n',
      'main.ts': "import { own, far, none } from './b';\nexport function main() { own(); far(); none(); }\n",
    };
    expect(await calls(sources, 'main.ts#main')).toEqual(['a.ts#own', 'c.ts#far']);
  });

  test('an import of types only leads to the file, and its name to the class', async () => {
    const { graph } = await graphOf({
      'agent.ts': 'export class Agent { run() {} }\n',
      'main.tsx':
        "import type { Agent as Runner } from './agent';\nexport const Panel = ({ agent }: { agent: Runner }) => <b onClick={() => agent.run()}>x</b>;\n",
    });
    expect(ends(graph, 'main.tsx', 'imports')).toEqual(['agent.ts']);
    expect(graph.in('agent.ts#Agent.run', 'calls').map(({ file, line }) => `${file} ${line}`)).toEqual(['main.tsx 2']);
  });
});

describe('classes of TypeScript', () => {
  test('parameter properties are attributes with their type, whatever their modifier', async () => {
    const { graph } = await graphOf({
      'a.ts': `class Shell { run() {} }
export class Agent {
  constructor(private shell: Shell, readonly limit = 3, public override name: string, protected readonly log?: Shell, plain?: Shell) {}
  go() { this.shell.run(); this.log?.run(); return this.limit; }
}
`,
    });
    const attributes = graph.data.nodes.filter(({ kind }) => kind === 'attribute').map(({ qualname }) => qualname);
    expect(attributes.sort()).toEqual(['Agent.limit', 'Agent.log', 'Agent.name', 'Agent.shell']);
    expect(ends(graph, 'a.ts#Agent.go', 'calls')).toEqual(['a.ts#Shell.run']);
    expect(ends(graph, 'a.ts#Agent.go', 'reads')).toContain('a.ts#Agent.limit');
  });

  test('decorators of classes, methods and fields are kept, and one with arguments calls what it names', async () => {
    const source = `function injectable(options: object) { return (target: unknown) => target; }
function logged(target: unknown, key: string) {}
@injectable({ scope: 'run' })
export class Agent {
  @logged run() {}
}
`;
    const { symbols } = await factsOf('a.ts', source);
    expect(symbols.find(({ qualname }) => qualname === 'Agent')?.decorators).toEqual(["@injectable({ scope: 'run' })"]);
    expect(symbols.find(({ qualname }) => qualname === 'Agent.run')?.decorators).toEqual(['@logged']);
    const { graph } = await graphOf({ 'a.ts': source });
    expect(graph.in('a.ts#injectable', 'calls')).toHaveLength(1);
  });

  test('a static block, a static field and an accessor belong to their class', async () => {
    const { graph } = await graphOf({
      'a.ts':
        'function load() {}\nexport class A {\n  static all = new Map<string, A>();\n  static { load(); }\n  static of(key: string) { return A.all.get(key); }\n  go() {}\n}\nexport function f() { A.of("x")?.go(); }\n',
    });
    expect(graph.in('a.ts#load', 'calls').map(({ line }) => line)).toEqual([4]);
    expect(ends(graph, 'a.ts#f', 'calls')).toEqual(['a.ts#A.go', 'a.ts#A.of']);
  });
});

describe('Go', () => {
  test('a package is known by its alias, by the name of its folder and by that of a versioned or SDK module', async () => {
    const { imports } = await factsOf(
      'a.go',
      'package a\n\nimport (\n\t"github.com/x/go-tools"\n\t"github.com/x/kit-go/v3"\n\t"github.com/x/acme-sdk-go"\n\t"gopkg.in/yaml.v3"\n\talias "x/y"\n\t_ "x/z"\n\t"x/two-words"\n)\n',
    );
    expect(imports.map(({ local }) => local)).toEqual(['tools', 'kit', 'acme', 'yaml', 'alias', '_', 'two_words']);
  });

  test('embedded interfaces, embedded pointers and methods that hide those they embed', async () => {
    const { graph } = await graphOf({
      'go.mod': 'module m\n',
      'a.go': `package m

type Reader interface{ Read() string }
type Tool interface {
	Reader
	Close()
}
type base struct{}

func (b *base) Read() string { return "base" }
func (b *base) Close()       {}

type fast struct{ *base }

func (f fast) Read() string { return f.base.Read() }

func use(t Tool) { t.Close() }
func main() {
	f := fast{&base{}}
	f.Read()
	f.Close()
	use(f)
}
`,
    });
    expect(ends(graph, 'a.go#fast.Read', 'calls')).toEqual(['a.go#base.Read']);
    expect(ends(graph, 'a.go#main', 'calls')).toEqual(['a.go#base.Close', 'a.go#fast.Read', 'a.go#use']);
    expect(ends(graph, 'a.go#use', 'calls').map((end) => end.replace(' ?', ''))).toContain('a.go#base.Close');
  });
});

describe('Python', () => {
  test('methods by their kind: of the class, static, abstract, cached and asynchronous', async () => {
    const { graph } = await graphOf({
      'a.py': `import abc, functools

class Tool(abc.ABC):
    @classmethod
    def make(cls):
        return cls()
    @staticmethod
    def clean(text): return text
    @abc.abstractmethod
    async def run(self): ...
    @functools.cached_property
    def schema(self): return self.clean("x")

class Bash(Tool):
    async def run(self):
        return super().make()

async def main(tool: Tool):
    await tool.run()
    Bash.make().schema
    Tool.clean("y")
`,
    });
    expect(ends(graph, 'a.py#main', 'calls')).toEqual(
      expect.arrayContaining(['a.py#Bash.run ?', 'a.py#Tool.clean', 'a.py#Tool.make', 'a.py#Tool.schema']),
    );
    expect(ends(graph, 'a.py#main', 'calls')).not.toContain('a.py#Tool.run');
    expect(ends(graph, 'a.py#Bash.run', 'calls')).toEqual(['a.py#Tool.make']);
    expect(ends(graph, 'a.py#Tool.schema', 'calls')).toEqual(['a.py#Tool.clean']);
  });

  test('imports in a function, behind a condition and behind a failed one', async () => {
    const sources = {
      'fast.py': 'def load(): pass\n',
      'slow.py': 'def load(): pass\n',
      'late.py': 'def late(): pass\n',
      'a.py': `from typing import TYPE_CHECKING
try:
    from fast import load
except ImportError:
    from slow import load
if TYPE_CHECKING:
    import late as never

def f():
    from late import late
    load()
    late()
`,
    };
    expect(await calls(sources, 'a.py#f')).toEqual(expect.arrayContaining(['late.py#late']));
    const loads = (await calls(sources, 'a.py#f')).filter((end) => end.includes('#load'));
    expect(loads.length).toBeGreaterThan(0);
  });
});
