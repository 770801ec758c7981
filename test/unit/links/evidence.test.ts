import { describe, expect, it } from 'vitest';
import { linkStep } from '../../../src/core/links';
import { Harness, result, run, step } from './helpers';

const AGENT = 'src/minisweagent/agents/default.py';

function harness(): Harness {
  return new Harness()
    .file('setup.py')
    .node('class', AGENT, 'DefaultAgent', 10, 200)
    .node('method', AGENT, 'query', 130, 150, { qualname: 'DefaultAgent.query' })
    .node('method', AGENT, 'run', 60, 90, { qualname: 'DefaultAgent.run' })
    .node('function', 'src/other/default.py', 'query', 1, 20);
}

describe('tracebacks', () => {
  const python = (path: string, line: number, name: string) =>
    `Traceback (most recent call last):\n  File "${path}", line ${line}, in ${name}\n    x()\nValueError: no`;

  it('of Python lead to the harness file with the longest common end of the path', () => {
    const text = [
      'Traceback (most recent call last):',
      '  File "/usr/lib/python3.12/site-packages/minisweagent/agents/default.py", line 70, in run',
      '    self.step()',
      '  File "/usr/lib/python3.12/site-packages/minisweagent/agents/default.py", line 141, in query',
      '    raise',
      '  File "/usr/lib/python3.12/socket.py", line 5, in connect',
    ].join('\n');
    const links = linkStep(harness().index(), step({ kind: 'event', event: 'exception', text }), run());
    expect(links[0]).toMatchObject({ kind: 'frame', file: AGENT, symbol: 'DefaultAgent.query', start: 141, end: 141 });
    expect(links[0]?.confidence).toBeGreaterThan(0.9);
    expect(links[1]).toMatchObject({ kind: 'frame', symbol: 'DefaultAgent.run', start: 70 });
    expect(links.filter((link) => link.kind === 'frame')).toHaveLength(2);
  });

  it('lead to the function when its line has moved, and say so', () => {
    const [link] = linkStep(
      harness().index(),
      step({ results: [result(python('/app/minisweagent/agents/default.py', 40, 'query'))] }),
      run(),
    );
    expect(link).toMatchObject({ kind: 'frame', symbol: 'DefaultAgent.query', start: 130, end: 150 });
    expect(link?.reason).toContain('its line has changed');
  });

  it('of the task under work are not linked', () => {
    for (const path of [
      '/testbed/setup.py',
      '/testbed/agents/default.py',
      '/testbed/src/main.py',
      '<string>',
      'node_modules/x/default.py',
    ]) {
      const links = linkStep(harness().index(), step({ results: [result(python(path, 3, 'somewhere'))] }), run());
      expect(links).toEqual([]);
    }
  });

  it('of Node.js, innermost first', () => {
    const index = new Harness()
      .node('method', 'src/loop.ts', 'step', 5, 30, { qualname: 'Loop.step' })
      .node('function', 'src/main.ts', 'main', 1, 9)
      .index();
    const text =
      'TypeError: x\n    at node:internal/process:1:1\n    at async Loop.step (file:///home/me/tinker/src/loop.ts:12:7)\n    at main (C:\\work\\tinker\\src\\main.ts:3:1)';
    const links = linkStep(index, step({ kind: 'event', event: 'exception', text }), run());
    expect(links.map((link) => [link.symbol, link.start])).toEqual([
      ['Loop.step', 12],
      ['main', 3],
    ]);
  });
});

describe('tool names', () => {
  const call = (name: string) => step({ kind: 'agent', calls: [{ id: 'c', name, args: {} }] });
  const tools = () =>
    new Harness()
      .node('tool', 'src/tools.ts', 'read_file', 5, 12)
      .node('function', 'src/tools/read.ts', 'readFile', 20, 60)
      .edge('implements-tool', 'tool:read_file', 'src/tools/read.ts#readFile')
      .node('class', 'src/search.ts', 'SearchTool', 1, 90)
      .node('method', 'src/search.ts', 'execute', 30, 80, { qualname: 'SearchTool.execute' })
      .unit('tool_read', 'src/tools/read.ts', 20, 60, ['src/tools/read.ts#readFile']);

  it.each(['read_file', 'mcp__files__read_file', 'files.read_file', 'ReadFile'])(
    '%s leads to the implementation first, then the declaration',
    (name) => {
      const links = linkStep(tools().index(), call(name), run());
      expect(links[0]).toMatchObject({
        kind: 'tool',
        file: 'src/tools/read.ts',
        symbol: 'readFile',
        start: 20,
        unit: 'unit-tool_read-0',
      });
      expect(links[1]).toMatchObject({ kind: 'tool', file: 'src/tools.ts', start: 5 });
    },
  );

  it('without a declaration lead to a definition of that name, with low confidence', () => {
    const [link] = linkStep(tools().index(), call('search'), run());
    expect(link).toMatchObject({ symbol: 'SearchTool.execute' });
    expect(link?.confidence).toBeLessThan(0.6);
    expect(linkStep(tools().index(), call('unheard_of'), run())).toEqual([]);
  });

  it('without a declaration lead to code in which the name stands as a string', () => {
    const index = tools()
      .node('method', 'src/loop.py', 'run', 5, 50, { qualname: 'Loop.run' })
      .literal('src/loop.py', 'src/loop.py#Loop.run', 31, 31, 'mark_task_complete')
      .index();
    expect(linkStep(index, call('mark_task_complete'), run())[0]).toMatchObject({
      kind: 'tool',
      symbol: 'Loop.run',
      start: 31,
    });
  });

  it('of a declared shell without an implementation lead to the unit that runs commands, then to the declaration', () => {
    const index = new Harness()
      .node('tool', 'src/tools.py', 'bash', 1, 9)
      .unit('exec_boundary', 'env/local.py', 24, 43)
      .index();
    expect(linkStep(index, call('bash'), run()).map((link) => link.file)).toEqual(['env/local.py', 'src/tools.py']);
  });

  it('of a shell lead to the environment the trace names', () => {
    const index = new Harness()
      .node('class', 'env/docker.py', 'DockerEnvironment', 1, 99)
      .node('method', 'env/docker.py', 'execute', 76, 98, { qualname: 'DockerEnvironment.execute' })
      .node('class', 'env/local.py', 'LocalEnvironment', 1, 50)
      .node('method', 'env/local.py', 'execute', 24, 43, { qualname: 'LocalEnvironment.execute' })
      .node('boundary', '', 'subprocess.run', 0, 0, { id: 'boundary:process:subprocess.run', boundary: 'process' })
      .edge('calls', 'env/docker.py#DockerEnvironment.execute', 'boundary:process:subprocess.run')
      .edge('calls', 'env/local.py#LocalEnvironment.execute', 'boundary:process:subprocess.run')
      .unit('exec_boundary', 'env/local.py', 24, 43)
      .index();
    const named = linkStep(
      index,
      call('bash'),
      run({ components: ['minisweagent.environments.docker.DockerEnvironment'] }),
    );
    expect(named[0]).toMatchObject({ kind: 'tool', symbol: 'DockerEnvironment.execute', start: 76 });
    expect(linkStep(index, call('bash'), run())[0]).toMatchObject({ file: 'env/local.py' });
  });

  it('of results come from their call', () => {
    const links = linkStep(tools().index(), step({ results: [result('text', 'c9')] }), run(), {
      toolOfCall: new Map([['c9', 'read_file']]),
    });
    expect(links[0]).toMatchObject({ kind: 'tool', symbol: 'readFile' });
    expect(linkStep(tools().index(), step({ results: [result('text', 'c9')] }), run())).toEqual([]);
  });
});

describe('configuration, status and life cycle', () => {
  it('a limit leads to the key with its value and to what raises the status', () => {
    const index = new Harness()
      .node('config', 'config.yaml', 'step_limit', 4, 4, { detail: '250' })
      .node('config', 'config.yaml', 'name', 1, 1, { detail: '250' })
      .node('class', AGENT, 'LimitsExceeded', 40, 42)
      .node('method', AGENT, 'query', 130, 150, { qualname: 'DefaultAgent.query' })
      .edge('constructs', `${AGENT}#DefaultAgent.query`, `${AGENT}#LimitsExceeded`, { line: 134 })
      .unit('limits', AGENT, 132, 135)
      .index();
    const links = linkStep(
      index,
      step({ kind: 'event', event: 'limit', text: 'The limit of 250 steps was reached.' }),
      run({ exitStatus: 'LimitsExceeded' }),
    );
    expect(links[0]).toMatchObject({
      kind: 'lifecycle',
      symbol: 'DefaultAgent.query',
      start: 134,
      unit: 'unit-limits-0',
    });
    expect(links.find((link) => link.kind === 'configuration')).toMatchObject({ file: 'config.yaml', start: 4 });
    expect(links.some((link) => link.start === 1)).toBe(false);
  });

  it('a step that starts a sub-agent leads to the unit for sub-agents too', () => {
    const index = new Harness().unit('compaction', 'a.py', 1, 9).unit('subagents', 'b.py', 1, 9).index();
    const links = linkStep(index, step({ kind: 'event', event: 'compaction', startsRun: 's' }), run());
    expect(links.map((link) => link.file)).toEqual(['a.py', 'b.py']);
  });

  it('a status raised in several places is taken from the environment that the trace names', () => {
    const harness = new Harness().node('class', 'exceptions.py', 'Submitted', 1, 3);
    for (const name of ['docker', 'local']) {
      harness
        .node('class', `env/${name}.py`, `${name}Environment`, 1, 90)
        .node('method', `env/${name}.py`, 'check', 40, 60, { qualname: `${name}Environment.check` })
        .edge('constructs', `env/${name}.py#${name}Environment.check`, 'exceptions.py#Submitted', { line: 50 });
    }
    const ended = step({ kind: 'event', event: 'submission', text: 'diff' });
    const links = linkStep(
      harness.index(),
      ended,
      run({ exitStatus: 'Submitted', components: ['env.localEnvironment'] }),
    );
    expect(links[0]).toMatchObject({ file: 'env/local.py', start: 50 });
    expect(links.some((link) => link.file === 'env/docker.py')).toBe(false);
    expect(linkStep(harness.index(), ended, run({ exitStatus: 'Submitted' }))[0]?.reason).toContain('1 other place');
  });

  it('a named key is evidence, a common word is not', () => {
    const index = new Harness()
      .node('config', 'c.yaml', 'cost_limit', 7, 7)
      .node('config', 'c.yaml', 'message', 8, 8)
      .index();
    const links = linkStep(index, step({ kind: 'user', text: 'cost_limit was raised by this message' }), run());
    expect(links).toMatchObject([{ kind: 'configuration', start: 7 }]);
  });

  it.each<[Partial<Parameters<typeof step>[0]>, string]>([
    [{ kind: 'system' }, 'system_prompt'],
    [{ kind: 'user' }, 'prompt_assembly'],
    [{ kind: 'agent' }, 'model_call'],
    [{ kind: 'event', event: 'compaction' }, 'compaction'],
    [{ kind: 'event', event: 'format_error' }, 'format_error'],
    [{ kind: 'event', event: 'limit' }, 'limits'],
  ])('%j is handled by units of its kind, and marked as weak', (change, kind) => {
    const harness = new Harness();
    for (const one of [
      'system_prompt',
      'prompt_assembly',
      'model_call',
      'compaction',
      'format_error',
      'limits',
    ] as const)
      harness.unit(one, `${one}.py`, 1, 9);
    const [link] = linkStep(harness.index(), step({ text: 'Hello.', ...change }), run());
    expect(link).toMatchObject({ kind: 'lifecycle', file: `${kind}.py` });
    expect(link?.confidence).toBeLessThan(0.4);
  });

  it('an unknown step without evidence has no link', () => {
    expect(linkStep(new Harness().index(), step({ text: 'Hello.' }), run())).toEqual([]);
  });
});
