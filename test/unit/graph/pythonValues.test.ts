import { describe, expect, test } from 'vitest';
import { ends, graphOf } from './sources';

/** Ends of the calls of one function in a single file, without the file name. */
async function callsIn(source: string, from: string): Promise<string[]> {
  const { graph } = await graphOf({ 'a.py': source });
  return ends(graph, `a.py#${from}`, 'calls').map((end) => end.replace('a.py#', ''));
}

describe('functions that are values', () => {
  test('a registry of functions in a dictionary: each may be called by whoever makes it', async () => {
    const { graph } = await graphOf({
      'a.py': `def read(x): pass
def write(x): pass
def unused(x): pass

TOOLS = {"read": read, "write": write}

def dispatch(name, x):
    return TOOLS[name](x)
`,
    });
    expect(ends(graph, 'a.py', 'calls')).toEqual(['a.py#read ?', 'a.py#write ?']);
    expect(ends(graph, 'a.py#dispatch', 'calls')).toEqual(['a.py#read', 'a.py#write']);
    expect(ends(graph, 'a.py#dispatch', 'reads')).toEqual(['a.py#TOOLS']);
  });

  test.each([
    ['TOOLS[name](x)'],
    ['TOOLS.get(name)(x)'],
    ['for run in TOOLS.values(): run(x)'],
    ['for key, run in TOOLS.items(): run(x)'],
    ['run = TOOLS.get(name); run(x)'],
  ])('each function of a registry is reached by %s', async (statement) => {
    const source = `def read(x): pass\ndef write(x): pass\n\nTOOLS = {"read": read, "write": write}\n\ndef f(name, x):\n    ${statement}\n`;
    expect(await callsIn(source, 'f')).toEqual(['read', 'write']);
  });

  test('a registry of objects in a list or dictionary', async () => {
    const source = `class Read:
    def use(self): pass
class Write:
    def use(self): pass
class Never:
    def use(self): pass

LIST = [Read(), Write()]
MAP = {"read": Read(), "write": Write()}

def a():
    for tool in LIST: tool.use()
def b(name):
    MAP[name].use()
`;
    expect(await callsIn(source, 'a')).toEqual(['Read.use', 'Write.use']);
    expect(await callsIn(source, 'b')).toEqual(['Read.use', 'Write.use']);
  });

  test('callbacks by name, by method and by partial are calls that are not certain', async () => {
    const source = `import functools

class Agent:
    def on_step(self): pass
    def start(self, bus):
        bus.subscribe("step", self.on_step)
        bus.subscribe("end", callback=done)
        later(functools.partial(retry, times=3))

def done(): pass
def retry(times): pass
`;
    expect(await callsIn(source, 'Agent.start')).toEqual(['Agent.on_step ?', 'done ?', 'retry ?']);
  });

  test('a call of something unknown is kept with its text and place', async () => {
    const { graph, counts } = await graphOf({
      'a.py': 'def f(thing, other):\n    thing.launch(1)\n    other()[0].go()\n    len("x")\n',
    });
    expect(graph.data.unresolved).toEqual([
      { from: 'a.py#f', text: 'thing.launch(1)', file: 'a.py', line: 2 },
      { from: 'a.py#f', text: 'other()', file: 'a.py', line: 3 },
      { from: 'a.py#f', text: 'other()[0].go()', file: 'a.py', line: 3 },
    ]);
    expect(counts.calls).toBe(counts.resolved + counts.external + counts.unresolved);
  });

  test('commands of a command line keep their calls and their decorators', async () => {
    const { graph } = await graphOf({
      'cli.py': `import argparse
import click

@click.command()
@click.option("--model", default="gpt-4o", help="The model to ask for answers")
def main(model):
    run(model)

def run(model): pass

def parse():
    parser = argparse.ArgumentParser(description="Runs the agent on one task")
    parser.add_argument("--limit", type=int, default=30)
    run(parser.parse_args().model)

if __name__ == "__main__":
    main()
`,
    });
    expect(graph.node('cli.py#main')).toMatchObject({
      start: 4,
      end: 7,
      decorators: ['@click.command()', expect.any(String)],
    });
    expect(ends(graph, 'cli.py#main', 'calls')).toEqual(['cli.py#run']);
    expect(ends(graph, 'cli.py#parse', 'calls')).toEqual(['cli.py#run']);
    expect(graph.in('cli.py#main', 'calls')).toMatchObject([{ from: 'cli.py', line: 17 }]);
  });
});

describe('state of modules and objects', () => {
  test('reads and writes of module variables across files', async () => {
    const { graph } = await graphOf({
      'state.py': 'LIMIT = 3\nCACHE: dict = {}\n',
      'use.py': `import state
from state import CACHE, LIMIT

def read():
    return LIMIT + state.LIMIT

def write(key):
    state.LIMIT = 5
    CACHE[key] = 1
    CACHE.clear()

def local():
    LIMIT = 4
    return LIMIT
`,
    });
    const touched = (from: string, kind: 'reads' | 'writes') =>
      graph.out(`use.py#${from}`, kind).map(({ to, line }) => `${to} ${line}`);
    expect(touched('read', 'reads')).toEqual(['state.py#LIMIT 5']);
    expect(touched('write', 'writes')).toEqual(['state.py#LIMIT 8', 'state.py#CACHE 9', 'state.py#CACHE 10']);
    expect(touched('local', 'reads')).toEqual([]);
    expect(touched('local', 'writes')).toEqual([]);
  });
});

describe('fields that a library describes', () => {
  const library = async (source: string, from: string) => {
    const { graph } = await graphOf({ 'a.py': source });
    return (graph.data.libraryCalls ?? []).filter((call) => call.from === `a.py#${from}`).map(({ name }) => name);
  };
  const source = (field: string) => `from dataclasses import field
from pydantic import BaseModel, Field
from deploy import Docker, Store

class Config(BaseModel):
    place: Docker = ${field}
    store: Store = ${field}

    def start(self):
        self.place.model_copy(deep=True)
        self.store.push()
`;

  test.each(['Field(default_factory=lambda: Docker())', 'field(default=None)', 'Field(description="x")'])(
    '%s says nothing about the type that is declared beside it',
    async (field) => {
      expect(await library(source(field), 'Config.start')).toEqual(['deploy.Docker.model_copy', 'deploy.Store.push']);
    },
  );

  test('without a declared type the value stays what it is', async () => {
    const text =
      'from lib import Field\n\nclass A:\n    def __init__(self):\n        self.f = Field()\n\n    def go(self):\n        self.f.run()\n';
    expect(await library(text, 'A.go')).toEqual(['lib.Field.run']);
  });
});

describe('items of a typed dictionary', () => {
  test.each([
    ['its own base', 'class State(TypedDict, total=False):'],
    ['an inherited base', 'class Base(TypedDict):\n    pass\n\nclass State(Base):'],
  ])('are no typed dictionaries themselves: %s', async (_, head) => {
    const { graph } = await graphOf({
      'a.py': `from typing import TypedDict

${head}
    messages: list
    name: str

def item(state: State):
    state["messages"].append(1)
    return state["messages"].name

def each(state: State):
    for key in state:
        key.name.strip()
`,
    });
    expect(ends(graph, 'a.py#item', 'reads')).toEqual([]);
    expect(ends(graph, 'a.py#each', 'reads')).toEqual([]);
    expect(graph.data.libraryCalls ?? []).toEqual([]);
  });

  test('a list that is written as what it holds still gives its items', async () => {
    const source =
      'class Tool:\n    def use(self): pass\n\nclass Box:\n    tools: Tool\n\ndef f(box: Box):\n    box.tools[0].use()\n';
    expect(await callsIn(source, 'f')).toEqual(['Tool.use']);
  });
});
