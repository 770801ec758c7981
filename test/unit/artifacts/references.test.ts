import { describe, expect, test } from 'vitest';
import { shellFacts } from '../../../src/core/graph/artifacts';
import { mayBeScript, scriptLanguage } from '../../../src/core/graph/scripts';
import { ends, graphOf } from '../graph/sources';

const bundle = {
  'tools/search/config.yaml':
    'tools:\n  find_file:\n    signature: "find_file <name>"\n    docstring: finds files by name\n  view:\n    signature: view\n    docstring: shows a file\n',
  'tools/search/bin/find_file': 'main() {\n    echo "Found no matches for $1 in this folder"\n}\nmain "$@"\n',
  'tools/search/bin/view':
    '#!/usr/bin/env python3\nimport sys\n\ndef main(path):\n    print(path)\n\nmain(sys.argv[1])\n',
  'tools/search/install.sh': 'build() {\n    make all\n}\n',
  'deploy/release': '#!/bin/bash\nupload() {\n    scp a b\n}\n',
  LICENSE: 'Everybody may use this.\n',
};

describe('tools that are scripts without an ending', () => {
  test('lead from their descriptor to the script of their name, whatever its language', async () => {
    const { graph } = await graphOf(bundle);
    expect(ends(graph, 'tool:find_file', 'implements-tool')).toEqual(['tools/search/bin/find_file#main']);
    expect(ends(graph, 'tool:view', 'implements-tool')).toEqual(['tools/search/bin/view#main']);
    expect(graph.node('tools/search/bin/find_file#main')).toMatchObject({ kind: 'function', start: 1, end: 3 });
    expect(graph.node('tools/search/bin/view#main')).toMatchObject({ kind: 'function', start: 4, end: 5 });
    const said = graph.data.literals.find(({ file }) => file === 'tools/search/bin/find_file');
    expect(said).toMatchObject({ owner: 'tools/search/bin/find_file#main', start: 2 });
    expect(said?.parts).toEqual(['Found no matches for ', null, ' in this folder']);
  });

  test('scripts that run no tool are no part of the harness, unless code names them', async () => {
    const paths = async (sources: Record<string, string>) =>
      (await graphOf(sources)).graph.data.files.map(({ path }) => path);
    expect(await paths(bundle)).toEqual([
      'tools/search/config.yaml',
      'tools/search/bin/find_file',
      'tools/search/bin/view',
    ]);
    const named = {
      ...bundle,
      'a.py': 'def install(env):\n    env.run("bash tools/search/install.sh")\n    env.copy("install.sh")\n',
    };
    expect(await paths(named)).toContain('tools/search/install.sh');
  });

  test.each([
    ['bin/x', '#!/usr/bin/env -S python3 -u\n', 'python'],
    ['bin/x', '#!/usr/bin/node\n', 'javascript'],
    ['x', '#! /bin/sh\n', 'shell'],
    ['x.sh', 'ls\n', 'shell'],
    ['bin/x', 'from lib import y\n', 'python'],
    ['src/x', 'from lib import y\n', undefined],
    ['bin/x', 'some words\n', undefined],
    ['LICENSE', '#!/bin/sh\n', undefined],
  ])('%s with %j is %s', (path, text, id) => {
    const language = scriptLanguage(path, text);
    expect(typeof language === 'object' ? language.id : language).toBe(id);
    expect(mayBeScript(path)).toBe(path !== 'LICENSE');
  });

  test('a function of a shell script that is never closed ends with the file', () => {
    expect(shellFacts('a.sh', 'f() {\n  ls\n').nodes).toEqual([
      { id: 'a.sh#f', kind: 'function', name: 'f', qualname: 'f', file: 'a.sh', start: 1, end: 2 },
    ]);
  });
});

describe('what a configuration names', () => {
  const sources = {
    'agents/main/agent.yaml': `type: agent
name: main
system_prompt: ./prompt.md
runner: tools.shell:Runner
tools:
  - name: run_command
    yaml_path: ./descriptions/run.tool.yaml
    binding: tools.shell:run_shell
skills:
  - ../../skills/debugging
`,
    'agents/main/prompt.md': 'You write code with care.\n',
    'agents/main/descriptions/run.tool.yaml':
      'name: RunCommand\ndescription: Runs a command\ninput_schema:\n  type: object\n  properties:\n    command:\n      type: string\n',
    'agents/main/tools/shell.py': 'def run_shell(command): pass\n\nclass Runner: pass\n',
    'agents/other/tools/shell.py': 'def run_shell(command): pass\n\nclass Runner: pass\n',
    'skills/debugging/SKILL.md':
      '---\nname: find-bugs\ndescription: How to find a bug\n---\nLook at the trace first.\n',
  };

  test('prompt files, descriptors, skills, and code by its import path, nearest first', async () => {
    const { graph } = await graphOf(sources);
    const key = 'config:agents/main/agent.yaml#';
    expect(ends(graph, `${key}system_prompt`, 'uses-prompt')).toEqual(['prompt:agents/main/prompt.md']);
    expect(ends(graph, `${key}runner`, 'binds')).toEqual(['agents/main/tools/shell.py#Runner']);
    expect(ends(graph, 'tool:RunCommand', 'implements-tool')).toEqual(['agents/main/tools/shell.py#run_shell']);
    expect(ends(graph, 'agents/main/agent.yaml', 'declares-tool')).toEqual(['tool:RunCommand']);
    expect(ends(graph, 'agents/main/agent.yaml', 'uses-prompt')).toEqual(['prompt:skills/debugging/SKILL.md']);
    expect(graph.node('prompt:skills/debugging/SKILL.md')).toMatchObject({ name: 'find-bugs' });
  });

  test('a name that leads nowhere leaves no edge', async () => {
    const { graph } = await graphOf({
      'agent.yaml': 'agent:\n  prompt: ./missing.md\n  model: openai.models:Nothing\n  image: python:3.12\n',
    });
    expect(graph.data.edges).toEqual([]);
  });

  test('a registry of import paths in code: who reads it may make what it names', async () => {
    const { graph } = await graphOf({
      'src/app/envs/docker.py': 'class DockerEnv: pass\n',
      'src/app/envs/__init__.py': `_MAPPING = {
    "docker": "app.envs.docker.DockerEnv",
    "gone": "app.envs.gone.GoneEnv",
}

def get_class(name):
    return load(_MAPPING.get(name, name))
`,
    });
    expect(ends(graph, 'src/app/envs/__init__.py#get_class', 'constructs')).toEqual([
      'src/app/envs/docker.py#DockerEnv ?',
    ]);
  });
});

describe('a key in code and the same key in a file', () => {
  const code =
    'import os\n\ndef f(config):\n    os.getenv("API_KEY")\n    return config.get("max_turns", 5), config.get("system_template")\n';

  test('are one node: the one of the file, with the reads of the code', async () => {
    const { graph } = await graphOf({
      'a.py': code,
      'config/agent.yaml': 'agent:\n  max_turns: 40\n  system_template: You are a helper who answers with care.\n',
    });
    expect(graph.data.nodes.filter(({ kind }) => kind === 'config').map(({ id }) => id)).toEqual([
      'config:API_KEY',
      'config:config/agent.yaml#agent.max_turns',
    ]);
    expect(ends(graph, 'a.py#f', 'reads')).toEqual(['config:API_KEY', 'config:config/agent.yaml#agent.max_turns']);
    expect(ends(graph, 'a.py#f', 'uses-prompt')).toEqual(['prompt:config/agent.yaml#agent.system_template']);
  });

  test('of two files either may be meant; without a file the key of the code stays', async () => {
    const { graph } = await graphOf({
      'a.py': code,
      'config/a.yaml': 'max_turns: 4\n',
      'config/b.yaml': 'max_turns: 5\n',
    });
    expect(ends(graph, 'a.py#f', 'reads')).toEqual([
      'config:API_KEY',
      'config:config/a.yaml#max_turns ?',
      'config:config/b.yaml#max_turns ?',
      'config:system_template',
    ]);
  });
});

test('recorded runs and settings of tests are no prompts, tools or keys of the harness', async () => {
  const { graph } = await graphOf({
    'tests/test_data/run/args.yaml':
      'agent:\n  system_template: You are a helper who answers with care.\n  step_limit: 3\n',
    'tests/prompts/system.md': 'You are a helper.\n',
    'a.py': 'def f(): pass\n',
  });
  expect(graph.data.nodes.map(({ id }) => id)).toEqual(['a.py', 'a.py#f']);
});
