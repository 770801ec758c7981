import { describe, expect, it } from 'vitest';
import { analyzeArtifact } from '../../../src/core/graph/artifacts';

const yaml = `# settings of the agent
agent:
  system_template: |
    You are a careful assistant.
    Use the tools you have.
  step_limit: 40
  stop_words: [done, finished]
model:
  temperature: 0.0
`;

describe('analyzeArtifact', () => {
  it('makes a prompt of a long YAML string and configuration of the rest, with exact lines', () => {
    const facts = analyzeArtifact('config/default.yaml', yaml);
    expect(facts?.nodes.map((node) => [node.kind, node.qualname, node.start, node.end])).toEqual([
      ['prompt', 'agent.system_template', 3, 5],
      ['config', 'agent.step_limit', 6, 6],
      ['config', 'agent.stop_words', 7, 7],
      ['config', 'model.temperature', 9, 9],
    ]);
    expect(facts?.nodes[1]?.detail).toBe('40');
    expect(facts?.literals).toEqual([
      {
        file: 'config/default.yaml',
        start: 4,
        end: 5,
        owner: 'prompt:config/default.yaml#agent.system_template',
        parts: ['You are a careful assistant.\nUse the tools you have.\n'],
      },
    ]);
  });

  it('reads a tool descriptor in YAML, its arguments and description', () => {
    const text = 'name: read_file\ndescription: Reads a file.\nparameters:\n  properties:\n    path: {type: string}\n';
    const facts = analyzeArtifact('tools/read_file.yaml', text);
    expect(facts?.nodes).toHaveLength(1);
    expect(facts?.nodes[0]).toMatchObject({
      id: 'tool:read_file',
      kind: 'tool',
      detail: 'Reads a file.',
      signature: 'path',
    });
    expect(facts?.edges[0]).toMatchObject({ kind: 'declares-tool', to: 'tool:read_file', line: 1 });
  });

  it('reads descriptors that a list or a map of tools holds', () => {
    const json = `{"tools": [
      {"type": "function", "function": {"name": "shell", "description": "Runs a command.", "parameters": {"properties": {"command": {}}}}}
    ]}`;
    expect(analyzeArtifact('agent/tools.json', json)?.nodes.map((node) => node.id)).toEqual(['tool:shell']);
    const bundle =
      'tools:\n  goto:\n    signature: "goto <line>"\n    docstring: "moves the window"\n    arguments:\n      - name: line\n';
    expect(analyzeArtifact('bundle/config.yaml', bundle)?.nodes[0]).toMatchObject({
      id: 'tool:goto',
      start: 2,
      end: 6,
      signature: 'line',
    });
  });

  it('reads TOML tables and multi-line strings', () => {
    const text = '[agent]\nmax_turns = 1_000 # turns\nprompt = """\nYou fix bugs in {language}.\nBe brief.\n"""\n';
    const facts = analyzeArtifact('settings.toml', text);
    expect(facts?.nodes.map((node) => [node.qualname, node.start, node.end, node.detail ?? ''])).toEqual([
      ['agent.max_turns', 2, 2, '1_000'],
      ['agent.prompt', 3, 6, ''],
    ]);
    expect(facts?.literals[0]).toMatchObject({ start: 4, parts: ['You fix bugs in ', null, '.\nBe brief.\n'] });
  });

  it('takes prompt files whole and marks possible documentation as candidate', () => {
    const prompt = analyzeArtifact('src/prompts/system.md', '# Role\nYou are {name}.\n');
    expect(prompt?.nodes[0]).toMatchObject({
      id: 'prompt:src/prompts/system.md',
      start: 1,
      end: 2,
      doc: 'Role',
      signature: '{name}',
    });
    expect(prompt?.nodes[0]?.decorators).toBeUndefined();
    expect(analyzeArtifact('README.md', '# Read me\n')?.nodes[0]?.decorators).toEqual(['candidate']);
    expect(analyzeArtifact('docs/prompts.md', 'words')?.nodes[0]?.decorators).toEqual(['candidate']);
  });

  it('returns null for what is no artifact', () => {
    expect(analyzeArtifact('package.json', '{"name": "x", "description": "y", "parameters": {}}')).toBeNull();
    expect(analyzeArtifact('src/main.py', 'print(1)')).toBeNull();
    expect(analyzeArtifact('prompts/empty.md', ' \n')).toBeNull();
    expect(analyzeArtifact('config/data.yaml', `a: ${'x'.repeat(500_000)}`)).toBeNull();
    expect(analyzeArtifact('prompts/binary.txt', 'a\0b')).toBeNull();
  });

  it('survives files that do not parse', () => {
    expect(() => analyzeArtifact('config/a.yaml', 'agent:\n  - b: [1\n c: "x\n')).not.toThrow();
    expect(() => analyzeArtifact('config/a.json', '{"agent": {"a": 1,, "b" ')).not.toThrow();
    expect(() => analyzeArtifact('config/a.toml', '[agent\nx = """never closed\n')).not.toThrow();
  });
});
