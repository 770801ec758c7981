import { describe, expect, test } from 'vitest';
import { factsOf } from './sources';

const agent = `"""Module text."""
import os
import litellm as llm
from .environment import Environment as Env, local
from helpers import *

LIMIT: int = 40
PROMPT = "You are a careful {role} who reads before writing.".format(role="agent")


class Agent(Base, Protocol):
    """Runs the loop. Second sentence."""

    name = "agent"
    steps: int

    def __init__(self, env: Env, model=None, *, limit: int = LIMIT):
        self.env = env
        self.model: Model = model or DefaultModel()
        self.steps = 0

    async def run(self, task: str) -> dict:
        """Run until done."""
        while True:
            for action in self.actions:
                with open(task) as handle:
                    output = self.env.execute(action)
            self.steps += 1
            if self.steps > LIMIT:
                break
        return await llm.completion(model=os.environ["MODEL_NAME"], note=f"Step {self.steps} of the whole run")

    @property
    def cost(self):
        return self._cost

    @abstractmethod
    def query(self): ...


def helper(x, y=local.default):
    def inner():
        return x
    return inner
`;

describe('facts of Python', () => {
  test('symbols with ranges, signature, documentation, bases and loops', async () => {
    const { symbols } = await factsOf('agent.py', agent);
    const run = symbols.find((symbol) => symbol.qualname === 'Agent.run');
    expect(run).toMatchObject({
      kind: 'method',
      start: 22,
      end: 31,
      signature: 'run(self, task: str) -> dict',
      doc: 'Run until done.',
      async: true,
      returns: 'dict',
      loops: [
        { start: 24, end: 30 },
        { start: 25, end: 27 },
      ],
    });
    const symbol = symbols.find(({ qualname }) => qualname === 'Agent');
    expect(symbol).toMatchObject({ doc: 'Runs the loop.', bases: ['Base', 'Protocol'], abstract: true, start: 11 });
    expect(symbols.map(({ qualname }) => qualname)).toContain('helper.inner');
    expect(symbols.find(({ qualname }) => qualname === 'Agent.cost')).toMatchObject({ getter: true, start: 33 });
    expect(symbols.find(({ qualname }) => qualname === 'Agent.query')).toMatchObject({ abstract: true });
    expect(symbols.find(({ qualname }) => qualname === 'LIMIT')).toMatchObject({ kind: 'variable', detail: '40' });
  });

  test('parameters keep type and default', async () => {
    const { symbols } = await factsOf('agent.py', agent);
    expect(symbols.find(({ qualname }) => qualname === 'Agent.__init__')?.parameters).toEqual([
      { name: 'self' },
      { name: 'env', type: 'Env' },
      { name: 'model' },
      { name: 'limit', type: 'int', value: 'LIMIT' },
    ]);
  });

  test('imports, with aliases and stars', async () => {
    const { imports, exports } = await factsOf('agent.py', agent);
    expect(imports).toEqual([
      { local: 'os', module: 'os', name: '*', line: 2 },
      { local: 'llm', module: 'litellm', name: '*', line: 3 },
      { local: 'Env', module: '.environment', name: 'Environment', line: 4 },
      { local: 'local', module: '.environment', name: 'local', line: 4 },
    ]);
    expect(exports).toEqual([{ exported: '*', module: 'helpers', chain: '*' }]);
  });

  test('calls carry line, scope and callee', async () => {
    const { calls } = await factsOf('agent.py', agent);
    expect(calls).toContainEqual(expect.objectContaining({ scope: 'Agent.run', callee: 'self.env.execute', line: 27 }));
    expect(calls).toContainEqual(expect.objectContaining({ scope: 'Agent.run', callee: 'llm.completion', line: 31 }));
  });

  test('annotated assignments and augmented assignments are writes', async () => {
    const { accesses, attributes } = await factsOf('agent.py', agent);
    const writes = accesses.filter((access) => access.write).map(({ chain, line }) => `${chain} ${line}`);
    expect(writes).toEqual(expect.arrayContaining(['self.model 19', 'self.steps 20', 'self.steps 28', 'LIMIT 7']));
    expect(accesses).toContainEqual({ scope: 'Agent.run', chain: 'self.steps', line: 29 });
    expect(attributes.find(({ name }) => name === 'model')).toMatchObject({
      owner: 'Agent',
      type: 'Model',
      values: ['model', 'DefaultModel()'],
    });
    expect(attributes.filter(({ name }) => name === 'steps').map(({ line }) => line)).toEqual([15, 20]);
  });

  test('strings are cut at placeholders, doc strings are left out', async () => {
    const { strings } = await factsOf('agent.py', agent);
    expect(strings).toEqual([
      { scope: '', start: 8, end: 8, parts: ['You are a careful ', null, ' who reads before writing.'] },
      { scope: 'Agent.run', start: 31, end: 31, parts: ['Step ', null, ' of the whole run'] },
    ]);
  });

  test('percent formats, adjacent strings, escapes and templates', async () => {
    const { strings } = await factsOf(
      'text.py',
      [
        'a = "The command %s failed with %(code)d" % x',
        'b = ("First line\\n" "second line {{ name }} end")',
        'c = r"a raw \\n string here"',
        'd = f"braces {{kept}} and {value!r:>10} shown"',
      ].join('\n'),
    );
    expect(strings.map(({ parts }) => parts)).toEqual([
      ['The command ', null, ' failed with ', null],
      ['First line\nsecond line ', null, ' end'],
      ['a raw \\n string here'],
      ['braces {kept} and ', null, ' shown'],
    ]);
  });

  test('configuration from the environment and from mappings', async () => {
    const { configurations } = await factsOf(
      'config.py',
      'import os\nA = os.getenv("API_BASE", "http://x")\nB = os.environ.get("MODE")\nC = config.get("limit", 3)\nD = settings["depth"]\nos.environ["SET"] = "1"\n',
    );
    expect(configurations.map(({ key, default: otherwise }) => [key, otherwise])).toEqual([
      ['API_BASE', '"http://x"'],
      ['MODE', undefined],
      ['limit', '3'],
      ['depth', undefined],
    ]);
  });

  test('tools: decorator, descriptor, class and call', async () => {
    const { tools } = await factsOf(
      'tools.py',
      `@tool
def search(query: str):
    """Search the web."""

@server.tool(name="read_file")
def read(path): ...

BASH = {"type": "function", "function": {"name": "bash", "description": "Run a command", "parameters": {}}}

class EditTool(BaseTool):
    name = "edit"
    description = "Change a file"
    def _run(self, path): ...

submit = StructuredTool(name="submit", description="Finish", func=finish)
`,
    );
    expect(tools.map(({ name, description, implementations }) => [name, description, implementations])).toEqual([
      ['search', 'Search the web.', ['search']],
      ['read_file', undefined, ['read']],
      ['bash', 'Run a command', []],
      ['edit', 'Change a file', ['EditTool._run']],
      ['submit', 'Finish', ['finish']],
    ]);
  });

  test('a broken source still gives facts', async () => {
    const facts = await factsOf(
      'broken.py',
      'def ok():\n    run()\n\ndef bad():\n    x = = 3\n\ndef after():\n    pass\n',
    );
    expect(facts.parseErrors).toBeGreaterThan(0);
    expect(facts.symbols.map(({ name }) => name)).toEqual(expect.arrayContaining(['ok', 'after']));
  });
});
