import { describe, expect, test } from 'vitest';
import { exportGraph, GraphExport } from '../../../src/core/graph/exportGraph';
import { graphOf } from './sources';

async function exported(sources: Record<string, string>): Promise<GraphExport> {
  const { graph } = await graphOf(sources);
  return GraphExport.parse(exportGraph(graph));
}

const calls = (graph: GraphExport) =>
  graph.edges.filter(({ kind }) => kind === 'calls').map(({ from, to, line }) => `${from} -> ${to} ${line}`);

describe('library calls', () => {
  test('functions and classes of libraries are named, what every program has is not', async () => {
    const graph = await exported({
      'a.py': `import re
import xml.etree.ElementTree as ET
from shlex import quote as q
from harbor.llms.base import BaseLLM

def f(llm: BaseLLM, text: str):
    re.search("x", text)
    ET.SubElement(None, "step")
    q(text)
    llm.call(text)
    len(text.strip())
    re.compile("x").match(text)
`,
    });
    expect(calls(graph)).toEqual([
      'a.py#f -> boundary:library:re.search 7',
      'a.py#f -> boundary:library:xml.etree.ElementTree.SubElement 8',
      'a.py#f -> boundary:library:shlex.quote 9',
      'a.py#f -> boundary:library:harbor.llms.base.BaseLLM.call 10',
      'a.py#f -> boundary:library:re.compile 12',
    ]);
    expect(graph.nodes.find(({ id }) => id === 'boundary:library:re.search')).toEqual({
      id: 'boundary:library:re.search',
      kind: 'boundary',
      name: 're.search',
      qualname: 're.search',
      file: '',
      start: 0,
      end: 0,
    });
  });

  test('a call that reaches the world keeps its kind and is no library call too', async () => {
    const graph = await exported({
      'a.ts': `import { spawn } from 'node:child_process';\nimport chalk from 'chalk';\nexport function f() { spawn('ls'); chalk.red('x'); console.log(1); }\n`,
    });
    expect(calls(graph)).toEqual([
      'a.ts#f -> boundary:process:child_process.spawn 3',
      'a.ts#f -> boundary:library:chalk.red 3',
    ]);
  });

  test('of test files they are left out, because assertions would outnumber the rest', async () => {
    const graph = await exported({
      'test/a.test.ts': `import { expect, it } from 'vitest';\nfunction f() { expect(1).toBe(1); }\n`,
    });
    expect(calls(graph)).toEqual([]);
  });
});

describe('generated constructors', () => {
  const source = `from dataclasses import dataclass

@dataclass
class Command:
    keys: str

@dataclass(frozen=True)
class Own:
    keys: str
    def __init__(self): pass

class Plain: pass

def make():
    return [Command("ls"), Own(), Plain()]
`;

  test('a data class has the constructor that its decorator writes, unless it has its own', async () => {
    const graph = await exported({ 'a.py': source });
    const made = graph.nodes.filter(({ name }) => name === '__init__');
    expect(made.map(({ id, kind, start, end }) => ({ id, kind, start, end }))).toEqual([
      { id: 'a.py#Own.__init__', kind: 'method', start: 10, end: 10 },
      { id: 'a.py#Command.__init__', kind: 'method', start: 3, end: 5 },
    ]);
    expect(calls(graph).filter((call) => call.startsWith('a.py#make'))).toEqual([
      'a.py#make -> a.py#Command.__init__ 15',
      'a.py#make -> a.py#Own.__init__ 15',
    ]);
  });
});

describe('a package copied out of its place', () => {
  const session = 'class TmuxSession:\n    def start(self): pass\n\ndef types(): pass\n';

  test('still finds its own modules by their old name', async () => {
    const { graph } = await graphOf({
      'source/agent.py':
        'from harbor.agents.terminus_2.tmux_session import TmuxSession\n\ndef f():\n    TmuxSession().start()\n',
      'source/tmux_session.py': session,
    });
    expect(graph.out('source/agent.py#f', 'calls').map(({ to }) => to)).toEqual([
      'source/tmux_session.py#TmuxSession.start',
    ]);
  });

  test('a library module with an everyday name is not taken for the file beside', async () => {
    const { graph } = await graphOf({
      'source/agent.py': 'from google.genai.types import types\n\ndef f():\n    types()\n',
      'source/types.py': session,
    });
    expect(graph.out('source/agent.py#f', 'calls')).toEqual([]);
  });
});
