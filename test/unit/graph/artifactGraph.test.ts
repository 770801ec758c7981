import { describe, expect, test } from 'vitest';
import { exportGraph } from '../../../src/core/graph/exportGraph';
import { ends, graphOf } from './sources';

describe('a bundle of tools beside its code', () => {
  const sources = {
    'tools/search/config.yaml': `tools:
  find_file:
    signature: "find_file <name> [<dir>]"
    docstring: "finds all files with the given name in the directory"
    arguments:
      - name: file_name
        type: string
        required: true
      - name: dir
        type: string
  goto:
    docstring: "moves the window to show the line of a number"
    signature: "goto <line>"
    arguments:
      - name: line_number
`,
    'tools/search/bin/find_file': '#!/bin/bash\nmain() {\n  find . -name "$1"\n}\nmain "$@"\n',
    'tools/search/bin/goto': '#!/usr/bin/env python3\nimport sys\n\ndef main():\n    print(sys.argv)\n\nmain()\n',
    'tools/search/install.sh': 'pip install x\n',
    'tools/other/bin/goto': '#!/bin/sh\necho other\n',
  };

  test('each described tool leads to the script of its name in its own bundle', async () => {
    const { graph } = await graphOf(sources);
    expect(ends(graph, 'tool:find_file', 'implements-tool')).toEqual(['tools/search/bin/find_file#main']);
    expect(ends(graph, 'tool:goto', 'implements-tool')).toEqual(['tools/search/bin/goto#main']);
    expect(graph.node('tool:find_file')).toMatchObject({ signature: 'file_name, dir', start: 2, end: 10 });
    expect(graph.in('tool:goto', 'declares-tool').map(({ from, line }) => `${from} ${line}`)).toEqual([
      'tools/search/config.yaml 11',
    ]);
  });

  test('a descriptor without its script leads to no script of another bundle', async () => {
    const { 'tools/search/bin/goto': _, ...rest } = sources;
    const { graph } = await graphOf(rest);
    expect(ends(graph, 'tool:goto', 'implements-tool')).toEqual([]);
  });
});

describe('a skill', () => {
  test('has the name and the description of its front matter, else its folder and its first words', async () => {
    const { graph } = await graphOf({
      'skills/review/SKILL.md': '---\nname: "code-review"\ndescription: Reviews changes\n---\n# Review the {diff}\n',
      'skills/plan/SKILL.md': 'Plan before you edit the files.\n',
    });
    expect(graph.node('prompt:skills/review/SKILL.md')).toMatchObject({
      name: 'code-review',
      doc: 'Reviews changes',
      signature: '{diff}',
      start: 1,
      end: 5,
    });
    expect(graph.node('prompt:skills/plan/SKILL.md')?.name).toBe('plan');
  });
});

describe('descriptors in JSON', () => {
  test('keep their arguments, description and lines, and lead to what runs them', async () => {
    const { graph } = await graphOf({
      'schemas/read.json': `{
  "name": "read_file",
  "description": "Reads a file of the project as text",
  "input_schema": {
    "type": "object",
    "properties": { "path": { "type": "string" }, "limit": { "type": "integer" } },
    "required": ["path"]
  }
}
`,
      'schemas/all.json':
        '{ "tools": [\n  { "type": "function", "function": { "name": "write_file", "description": "Writes a file", "parameters": { "properties": { "text": {} } } } }\n] }\n',
      'run.ts':
        'export class ReadFileTool { execute(path: string) { return path; } }\nexport function handleWriteFile(text: string) { return text; }\nexport class ReadFileToolError extends Error {}\n',
    });
    expect(graph.node('tool:read_file')).toMatchObject({ signature: 'path, limit', start: 2, end: 8 });
    expect(graph.node('tool:read_file')?.detail).toBe('Reads a file of the project as text');
    expect(ends(graph, 'tool:read_file', 'implements-tool')).toEqual(['run.ts#ReadFileTool']);
    expect(graph.node('tool:write_file')).toMatchObject({ signature: 'text', start: 2 });
    expect(ends(graph, 'tool:write_file', 'implements-tool')).toEqual(['run.ts#handleWriteFile']);
  });

  test('a person with a name and a description is no tool', async () => {
    const { graph } = await graphOf({
      'agents/people.json': '{ "people": [{ "name": "ann", "description": "Writes tests" }] }\n',
    });
    expect(graph.data.nodes.filter(({ kind }) => kind === 'tool')).toEqual([]);
  });
});

describe('keys of a configuration', () => {
  const files = {
    'config/agent.toml':
      '[model]\nmax_tokens = 4096 # enough\nstop = ["a", "b"]\n\n[agent]\nretry_limit = 3\nname = "x"\n',
    'config/agent.json': '{\n  // the limits\n  "limits": { "cost_limit": 2.5, "wallTime": 60 }\n}\n',
  };

  test('carry their value as written and their line', async () => {
    const { graph } = await graphOf(files);
    expect(graph.node('config:config/agent.toml#model.max_tokens')).toMatchObject({ detail: '4096', start: 2, end: 2 });
    expect(graph.node('config:config/agent.toml#model.stop')?.detail).toBe('["a", "b"]');
    expect(graph.node('config:config/agent.toml#agent.retry_limit')).toMatchObject({ detail: '3', start: 6 });
    expect(graph.node('config:config/agent.json#limits.cost_limit')).toMatchObject({ detail: '2.5', start: 3 });
  });

  test.each([
    ['go', 'package a\n\nfunc f() int { return viper.GetInt("agent.retry_limit") }\n', 'a.go#f'],
    ['ts', "export function f(config) { return config.get('agent.retry_limit'); }\n", 'a.ts#f'],
    ['py', 'def f(config):\n    return config["agent"]["retry_limit"]\n', 'a.py#f'],
    ['rs', 'fn f(c: &Config) -> i64 { c.get_int("agent.retry_limit").unwrap() }\n', 'a.rs#f'],
  ])('are read where code in .%s spells them', async (ending, text, reader) => {
    const { graph } = await graphOf({ ...files, [`a.${ending}`]: text });
    expect(graph.in('config:config/agent.toml#agent.retry_limit', 'reads').map(({ from }) => from)).toEqual([reader]);
    expect(graph.in('config:config/agent.json#limits.cost_limit', 'reads')).toEqual([]);
  });

  test('an everyday key is not read by whoever has the word', async () => {
    const { graph } = await graphOf({ ...files, 'a.py': 'def f(person):\n    return person["name"], person.stop\n' });
    expect(graph.in('config:config/agent.toml#agent.name', 'reads')).toEqual([]);
    expect(graph.in('config:config/agent.toml#model.stop', 'reads')).toEqual([]);
  });

  test('a key that names a class, a prompt and a script of the repository binds them', async () => {
    const { graph } = await graphOf({
      'config/run.yaml':
        'agent:\n  agent_class: harness.core:Agent\n  system_prompt_file: ../prompts/system.md\n  setup: ./setup.sh\n  missing: ../prompts/none.md\n',
      'config/setup.sh': 'echo "begin the work of the agent"\n',
      'prompts/system.md': 'You fix {issue}.\n',
      'harness/core.py': 'class Agent:\n    pass\n',
    });
    const key = 'config:config/run.yaml#agent';
    expect(ends(graph, `${key}.agent_class`, 'binds')).toEqual(['harness/core.py#Agent']);
    expect(ends(graph, `${key}.system_prompt_file`, 'uses-prompt')).toEqual(['prompt:prompts/system.md']);
    expect(ends(graph, `${key}.setup`, 'binds')).toEqual(['config/setup.sh']);
    expect(graph.out(`${key}.missing`)).toEqual([]);
  });
});

describe('the exported graph', () => {
  test('has both ends of every edge, each node once, and only what others can read', async () => {
    const { graph } = await graphOf({
      'a.py':
        'import attr, re\nfrom dataclasses import dataclass\n\n@attr.s\nclass A:\n    x = 1\n\n@dataclass\nclass B(A):\n    y: int = 2\n\n@staticmethod\ndef f():\n    """Makes both."""\n    return A(), B(), re.match("a", "b"), re.match("c", "d")\n',
      'prompts/a.md': 'You are {role} of the team.\n',
    });
    const { nodes, edges } = exportGraph(graph);
    const ids = nodes.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const known = new Set(ids);
    expect(edges.filter(({ from, to }) => !known.has(from) || !known.has(to))).toEqual([]);
    expect(ids.filter((id) => id === 'boundary:library:re.match')).toHaveLength(1);
    const keys = new Set(nodes.flatMap((node) => Object.keys(node)));
    expect([...keys].sort()).toEqual(['end', 'file', 'id', 'kind', 'name', 'qualname', 'start']);
    const made = edges.filter(({ from, kind, to }) => from === 'a.py#f' && kind === 'calls' && to.endsWith('__init__'));
    expect(made.map(({ to }) => to).sort()).toEqual(['a.py#A.__init__', 'a.py#B.__init__']);
    expect(edges.filter(({ certain }) => certain !== undefined && certain !== false)).toEqual([]);
  });
});
