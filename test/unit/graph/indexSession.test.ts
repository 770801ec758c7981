import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Indexed, IndexSession } from '../../../src/core/graph/indexSession';
import { openHarness } from '../../../src/core/harness';

let root: string;
let cold: string;
let session: IndexSession;
let texts: Map<string, string>;

/** One harness in four languages, with what only files beside the code say. */
const harness: Record<string, string> = {
  'go.mod': 'module example.com/agent\n\ngo 1.23\n',
  'go/loop/loop.go': `package loop

import "example.com/agent/go/tools"

type Runner struct{ tool tools.Tool }

func New(t tools.Tool) *Runner { return &Runner{tool: t} }

func (r *Runner) Run(task string) string {
	for {
		if out := r.tool.Execute(task); out != "" {
			return out
		}
	}
}
`,
  'go/tools/tool.go': `package tools

type Tool interface{ Execute(input string) string }

const Name = "bash"
`,
  'go/tools/bash.go': `package tools

import "os/exec"

type Bash struct{ Limit int }

func (b *Bash) Execute(input string) string {
	out, _ := exec.Command(Name, "-c", input).Output()
	return cut(string(out), b.Limit)
}

func cut(text string, limit int) string { return text[:limit] }
`,
  'go/main.go': `package main

import (
	"example.com/agent/go/loop"
	"example.com/agent/go/tools"
)

func main() { loop.New(&tools.Bash{Limit: 9}).Run("go") }
`,
  'Cargo.toml': '[package]\nname = "agent-core"\nversion = "0.1.0"\n',
  'src/lib.rs': 'pub mod tool;\npub mod turn;\n',
  'src/tool.rs': `pub trait Tool { fn call(&self, input: &str) -> String; }
pub struct Shell { pub limit: usize }
impl Tool for Shell {
    fn call(&self, input: &str) -> String { shorten(input, self.limit) }
}
pub fn shorten(text: &str, limit: usize) -> String { text.chars().take(limit).collect() }
`,
  'src/turn.rs': `use crate::tool::{Shell, Tool};
pub fn turn(tool: &dyn Tool) -> String { tool.call("ls") }
pub fn start() -> String { turn(&Shell { limit: 4 }) }
`,
  'agent/run.py': `from pathlib import Path
from agent.tools import TOOLS

def system():
    return Path("prompts/system.md").read_text()

def run(config):
    for _ in range(config["agent"]["step_limit"]):
        TOOLS["grep_files"]("x")
`,
  'agent/tools.py': `def execute_grep_files(pattern):
    return pattern

TOOLS = {"grep_files": execute_grep_files}
`,
  'config/agent.yaml': 'agent:\n  step_limit: 40\n  cost_limit: 3\n',
  'tools/grep.yaml':
    'name: grep_files\ndescription: Finds text in files of the project\nparameters:\n  type: object\n  properties:\n    pattern:\n      type: string\n',
  'prompts/system.md': 'You are {role}. Read files before you change them.\n',
};

async function put(folder: string, files: Iterable<[string, string]>): Promise<void> {
  for (const [path, text] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'session-'));
  texts = new Map(Object.entries(harness));
  await put(root, texts);
  session = new IndexSession(await openHarness(root));
  await session.refresh();
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** The bytes of a graph, wherever its folder is. */
const bytesOf = ({ graph }: Indexed) => JSON.stringify({ ...graph.data, root: '' });

/** Index of the same texts by a program that never saw them before. */
async function coldIndex(): Promise<Indexed> {
  cold = await mkdtemp(join(tmpdir(), 'cold-'));
  try {
    await put(cold, texts);
    return await new IndexSession(await openHarness(cold)).refresh();
  } finally {
    await rm(cold, { recursive: true, force: true });
  }
}

async function change(path: string, edit: (text: string) => string): Promise<void> {
  const before = texts.get(path) ?? '';
  const after = edit(before);
  expect(after).not.toBe(before);
  texts.set(path, after);
  await put(root, [[path, after]]);
}

async function expectCold(indexed: Indexed | undefined): Promise<Indexed> {
  if (!indexed) throw new Error('The session asked for a full look at all files.');
  const fresh = await coldIndex();
  expect(bytesOf(indexed)).toBe(bytesOf(fresh));
  const { calls, resolved, external, unresolved, files, functions, classes, perLanguage } = fresh.stats;
  expect(indexed.stats).toMatchObject({
    calls,
    resolved,
    external,
    unresolved,
    files,
    functions,
    classes,
    perLanguage,
  });
  return indexed;
}

const to = ({ graph }: Indexed, from: string) =>
  graph
    .out(from, 'calls')
    .map((edge) => edge.to)
    .sort();

describe('a saved file gives the bytes of an index from nothing', () => {
  test('the harness is linked as its code says before anything is edited', async () => {
    const first = await expectCold(await session.refresh());
    expect(to(first, 'go/loop/loop.go#Runner.Run')).toEqual(['go/tools/bash.go#Bash.Execute']);
    expect(to(first, 'src/turn.rs#turn')).toEqual(['src/tool.rs#Shell.call']);
    expect(to(first, 'agent/run.py#run')).toEqual(['agent/tools.py#execute_grep_files']);
    expect(first.graph.in('prompt:prompts/system.md', 'uses-prompt').map(({ from }) => from)).toEqual([
      'agent/run.py#system',
    ]);
    expect(first.graph.in('config:config/agent.yaml#agent.step_limit', 'reads').map(({ from }) => from)).toEqual([
      'agent/run.py#run',
    ]);
  });

  test('a Go method that is renamed is no longer what the interface asks for', async () => {
    await change('go/tools/bash.go', (text) => text.replace('Execute', 'Perform'));
    const after = await expectCold(await session.update(['go/tools/bash.go']));
    expect(to(after, 'go/loop/loop.go#Runner.Run')).not.toContain('go/tools/bash.go#Bash.Perform');
    await change('go/tools/tool.go', (text) => text.replace('Execute', 'Perform'));
    await change('go/loop/loop.go', (text) => text.replace('Execute', 'Perform'));
    const both = await expectCold(await session.update(['go/tools/tool.go', 'go/loop/loop.go']));
    expect(to(both, 'go/loop/loop.go#Runner.Run')).toEqual(['go/tools/bash.go#Bash.Perform']);
  });

  test('a Go method moves to another file of its package', async () => {
    const method = /func \(b \*Bash\)[\s\S]*?\n}\n/.exec(harness['go/tools/bash.go']!)![0];
    await change('go/tools/bash.go', (text) => text.replace(method, '').replace('import "os/exec"\n', ''));
    await change('go/tools/tool.go', (text) => `${text}\n${method}`.replace('tools\n', 'tools\n\nimport "os/exec"\n'));
    const after = await expectCold(await session.update(['go/tools/bash.go', 'go/tools/tool.go']));
    expect(to(after, 'go/loop/loop.go#Runner.Run')).toEqual(['go/tools/tool.go#Bash.Execute']);
    expect(to(after, 'go/tools/tool.go#Bash.Execute')).toContain('go/tools/bash.go#cut');
  });

  test('a second implementation of a Rust trait is a choice, and none again when it goes', async () => {
    const second = `pub struct Echo;\nimpl Tool for Echo {\n    fn call(&self, input: &str) -> String { input.into() }\n}\n`;
    await change('src/tool.rs', (text) => text + second);
    const two = await expectCold(await session.update(['src/tool.rs']));
    expect(to(two, 'src/turn.rs#turn')).toEqual(['src/tool.rs#Echo.call', 'src/tool.rs#Shell.call']);
    await change('src/tool.rs', (text) => text.replace(second, ''));
    const one = await expectCold(await session.update(['src/tool.rs']));
    expect(to(one, 'src/turn.rs#turn')).toEqual(['src/tool.rs#Shell.call']);
    expect(one.graph.out('src/turn.rs#turn', 'calls').map(({ certain }) => certain)).toEqual([undefined]);
  });

  test('a re-exported Rust name leads on after its module took another name', async () => {
    await change('src/lib.rs', () => 'pub mod tool;\npub mod turn;\npub use tool::shorten as clip;\n');
    await change('src/turn.rs', (text) => `${text}pub fn end() -> String { crate::clip("x", 1) }\n`);
    const after = await expectCold(await session.update(['src/lib.rs', 'src/turn.rs']));
    expect(to(after, 'src/turn.rs#end')).toEqual(['src/tool.rs#shorten']);
    await change('src/lib.rs', () => 'pub mod tool;\npub mod turn;\n');
    const gone = await expectCold(await session.update(['src/lib.rs']));
    expect(to(gone, 'src/turn.rs#end')).toEqual([]);
  });

  test('a function that is taken out of a Python registry is no longer called by who asks for its keys', async () => {
    await change('agent/tools.py', (text) =>
      text
        .replace('"grep_files": execute_grep_files', '"grep_files": other')
        .concat('\ndef other(pattern):\n    return pattern\n'),
    );
    const after = await expectCold(await session.update(['agent/tools.py']));
    expect(to(after, 'agent/run.py#run')).toEqual(['agent/tools.py#other']);
  });
});

describe('files beside the code', () => {
  test('a key of a YAML file that takes another name loses its reader', async () => {
    await change('config/agent.yaml', (text) => text.replace('step_limit', 'turn_limit'));
    const after = await expectCold(await session.update(['config/agent.yaml']));
    expect(after.graph.node('config:config/agent.yaml#agent.step_limit')).toBeUndefined();
    expect(after.graph.in('config:config/agent.yaml#agent.turn_limit', 'reads')).toEqual([]);
    await change('agent/run.py', (text) => text.replace('step_limit', 'turn_limit'));
    const both = await expectCold(await session.update(['agent/run.py']));
    expect(both.graph.in('config:config/agent.yaml#agent.turn_limit', 'reads').map(({ from }) => from)).toEqual([
      'agent/run.py#run',
    ]);
  });

  test('a new value of a key moves nothing but its node', async () => {
    const before = await session.refresh();
    await change('config/agent.yaml', (text) => text.replace('40', '41'));
    const after = await expectCold(await session.update(['config/agent.yaml']));
    expect(after.graph.node('config:config/agent.yaml#agent.step_limit')?.detail).toBe('41');
    expect(after.graph.data.edges).toEqual(before.graph.data.edges);
  });

  test('the text of a prompt, with another placeholder', async () => {
    await change('prompts/system.md', () => 'You are {persona}.\nAnswer {question} in one sentence.\n');
    const after = await expectCold(await session.update(['prompts/system.md']));
    expect(after.graph.node('prompt:prompts/system.md')).toMatchObject({ signature: '{persona} {question}', end: 2 });
  });

  test('a descriptor that names another tool leads to another function', async () => {
    await change('agent/tools.py', (text) => `${text}\ndef run_list_files(pattern):\n    return []\n`);
    await change('tools/grep.yaml', (text) => text.replace('grep_files', 'list_files'));
    const after = await expectCold(await session.update(['agent/tools.py', 'tools/grep.yaml']));
    expect(after.graph.node('tool:grep_files')).toBeUndefined();
    expect(after.graph.out('tool:list_files', 'implements-tool').map((edge) => edge.to)).toEqual([
      'agent/tools.py#run_list_files',
    ]);
  });

  test('a read-me becomes a prompt when code begins to load it, and documentation again after', async () => {
    await change('docs/README.md', () => 'This harness answers questions about files.\n');
    const unread = await expectCold(await session.refresh());
    expect(unread.graph.node('prompt:docs/README.md')).toBeUndefined();
    const before = texts.get('agent/run.py')!;
    await change('agent/run.py', (text) => text.replace('prompts/system.md', 'docs/README.md'));
    const read = await expectCold(await session.update(['agent/run.py']));
    expect(read.graph.in('prompt:docs/README.md', 'uses-prompt').map(({ from }) => from)).toEqual([
      'agent/run.py#system',
    ]);
    expect(read.graph.in('prompt:prompts/system.md', 'uses-prompt')).toEqual([]);
    await change('agent/run.py', () => before);
    const again = await expectCold(await session.update(['agent/run.py']));
    expect(again.graph.node('docs/README.md')).toBeUndefined();
  });
});

describe('files that come, go and take other names', () => {
  test('an update of a file that is gone, or new, says that it is not enough', async () => {
    await rm(join(root, 'go/tools/bash.go'));
    expect(await session.update(['go/tools/bash.go'])).toBeUndefined();
    await put(root, [['go/tools/edit.go', 'package tools\n']]);
    expect(await session.update(['go/tools/edit.go'])).toBeUndefined();
    expect(await session.update(['go'])).toBeUndefined();
  });

  test('an update before the first look at all files is not enough either', async () => {
    const untouched = new IndexSession(await openHarness(root));
    expect(await untouched.update(['go/main.go'])).toBeUndefined();
  });

  test.each(['go/tools/bash.go', 'src/tool.rs', 'agent/tools.py', 'config/agent.yaml', 'prompts/system.md', 'go.mod'])(
    'without %s',
    async (path) => {
      texts.delete(path);
      await rm(join(root, path));
      const after = await expectCold(await session.refresh());
      expect(after.stats.removed).toBe(1);
      const ids = new Set(after.graph.data.nodes.map(({ id }) => id));
      expect([...ids].filter((id) => id === path || id.startsWith(`${path}#`) || id.includes(`:${path}`))).toEqual([]);
      for (const { from, to: end } of after.graph.data.edges)
        expect([ids.has(from), ids.has(end)]).toEqual([true, true]);
    },
  );

  test.each([
    ['go/tools/bash.go', 'go/tools/shell.go', 'go/loop/loop.go#Runner.Run', 'go/tools/shell.go#Bash.Execute'],
    ['prompts/system.md', 'prompts/first/system.md', '', ''],
    ['agent/tools.py', 'agent/kit.py', 'agent/run.py#run', ''],
  ])('%s becomes %s', async (before, after, caller, callee) => {
    texts.set(after, texts.get(before)!);
    texts.delete(before);
    await mkdir(dirname(join(root, after)), { recursive: true });
    await rename(join(root, before), join(root, after));
    const indexed = await expectCold(await session.refresh());
    expect(indexed.stats).toMatchObject({ parsed: 1, removed: 1 });
    if (caller) expect(to(indexed, caller)).toEqual(callee ? [callee] : []);
  });

  test('a module name of go.mod that changes cuts every import of its packages', async () => {
    await change('go.mod', (text) => text.replace('example.com/agent', 'example.com/other'));
    const cut = await expectCold(await session.update(['go.mod']));
    expect(cut.graph.out('go/main.go', 'imports')).toEqual([]);
    await change('go.mod', (text) => text.replace('example.com/other', 'example.com/agent'));
    const whole = await expectCold(await session.update(['go.mod']));
    expect(whole.graph.out('go/main.go', 'imports').length).toBeGreaterThan(0);
  });

  test('two updates that are asked for at once come one after the other', async () => {
    await change('go/tools/bash.go', (text) => text.replace('return cut(', 'return cut2('));
    await change('go/tools/tool.go', (text) => `${text}\nfunc cut2(text string, limit int) string { return text }\n`);
    const [first, second] = await Promise.all([
      session.update(['go/tools/bash.go']),
      session.update(['go/tools/tool.go']),
    ]);
    expect(first && to(first, 'go/tools/bash.go#Bash.Execute')).not.toContain('go/tools/tool.go#cut2');
    expect(to(await expectCold(second), 'go/tools/bash.go#Bash.Execute')).toContain('go/tools/tool.go#cut2');
  });

  test('a cancelled update leaves a session that looks at everything again', async () => {
    await change('src/tool.rs', (text) => text.replace('shorten(input', 'shorten2(input'));
    const stopped = AbortSignal.abort();
    await expect(session.update(['src/tool.rs'], { signal: stopped })).rejects.toMatchObject({ code: 'cancelled' });
    expect(await session.update(['src/tool.rs'])).toBeUndefined();
    await expectCold(await session.refresh());
  });

  test('a session that took its graph from the store links on from there', async () => {
    await session.store();
    const next = new IndexSession(await openHarness(root));
    expect((await next.refresh()).stats).toMatchObject({ parsed: 0 });
    await next.prepare();
    await change('src/turn.rs', (text) => text.replace('"ls"', '"pwd"').concat('pub fn more() { start(); }\n'));
    const after = await expectCold(await next.update(['src/turn.rs']));
    expect(to(after, 'src/turn.rs#more')).toEqual(['src/turn.rs#start']);
  });
});
