import { describe, expect, it } from 'vitest';
import { linkStep } from '../../../src/core/links';
import { call, Harness, result, run, step } from './helpers';

const agent = (name: string) => step({ kind: 'agent', calls: [call(name)] });

describe('a class that stands for a tool', () => {
  it('leads from a method that only tells about it to the one that runs it', () => {
    const index = new Harness()
      .node('class', 'tools/book.py', 'Book', 1, 60)
      .node('method', 'tools/book.py', 'invoke', 3, 20, { qualname: 'Book.invoke' })
      .node('method', 'tools/book.py', 'get_info', 22, 60, { qualname: 'Book.get_info' })
      .node('tool', 'tools/book.py', 'book_reservation', 24, 58)
      .index();
    const links = linkStep(index, agent('book_reservation'), run());
    expect(links[0]).toMatchObject({ symbol: 'Book.invoke', start: 3, part: { of: 'call', at: 0 } });
    expect(links[1]).toMatchObject({ kind: 'tool', start: 24 });
  });

  it('leads to the class it makes for each call', () => {
    const index = new Harness()
      .node('class', 'src/ls.ts', 'LsInvocation', 1, 40)
      .node('method', 'src/ls.ts', 'execute', 5, 39, { qualname: 'LsInvocation.execute' })
      .node('class', 'src/ls.ts', 'LsTool', 42, 90)
      .node('method', 'src/ls.ts', 'create', 80, 89, { qualname: 'LsTool.create' })
      .node('tool', 'src/ls.ts', 'list_directory', 43, 90)
      .edge('constructs', 'src/ls.ts#LsTool.create', 'src/ls.ts#LsInvocation')
      .index();
    expect(linkStep(index, agent('list_directory'), run())[0]).toMatchObject({ symbol: 'LsInvocation.execute' });
  });

  it('is found through the constant it takes its name from', () => {
    const index = new Harness()
      .node('variable', 'src/names.ts', 'READ_FILE_TOOL_NAME', 2, 2)
      .literal('src/names.ts', 'src/names.ts', 2, 2, 'read_file')
      .node('class', 'src/read.ts', 'ReadFileTool', 1, 50)
      .node('method', 'src/read.ts', 'execute', 20, 40, { qualname: 'ReadFileTool.execute' })
      .node('class', 'src/other.ts', 'PolicyCheck', 1, 50)
      .node('method', 'src/other.ts', 'run', 20, 40, { qualname: 'PolicyCheck.run' })
      .edge('reads', 'src/read.ts#ReadFileTool', 'src/names.ts#READ_FILE_TOOL_NAME')
      .edge('reads', 'src/other.ts#PolicyCheck', 'src/names.ts#READ_FILE_TOOL_NAME')
      .index();
    const links = linkStep(index, agent('mcp__files__read_file'), run());
    expect(linkStep(index, agent('read_file'), run())[0]).toMatchObject({ symbol: 'ReadFileTool.execute' });
    expect(links.every((link) => link.symbol !== 'PolicyCheck.run')).toBe(true);
  });
});

describe('a declared tool', () => {
  it('of a test does not stand in for the real one', () => {
    const index = new Harness()
      .node('tool', 'src/tools.py', 'search', 5, 9)
      .node('tool', 'tests/test_tools.py', 'search', 1, 2, { qualname: 'test search' })
      .index();
    const files = linkStep(index, agent('search'), run()).map((link) => link.file);
    expect(files).toEqual(['src/tools.py']);
  });

  it('in a variable leads to the function that reads it to tell calls apart', () => {
    const index = new Harness()
      .node('variable', 'src/finish.py', 'FinishTool', 1, 20)
      .node('tool', 'src/finish.py', 'finish', 3, 18)
      .node('function', 'src/calling.py', 'response_to_actions', 1, 90)
      .node('function', 'src/list.py', 'all_names', 1, 5)
      .edge('reads', 'src/calling.py#response_to_actions', 'src/finish.py#FinishTool')
      .edge('reads', 'src/list.py#all_names', 'src/finish.py#FinishTool')
      .index();
    const symbols = linkStep(index, agent('finish'), run()).map((link) => link.symbol);
    expect(symbols).toContain('response_to_actions');
    expect(symbols).not.toContain('all_names');
  });
});

describe('a tool of a common name', () => {
  const index = () =>
    new Harness()
      .node('class', 'src/server.py', 'ActionExecutor', 1, 90)
      .node('method', 'src/server.py', 'run', 10, 30, {
        qualname: 'ActionExecutor.run',
        signature: '(self, action: CmdRunAction)',
      })
      .node('method', 'src/server.py', 'run_ipython', 32, 60, { qualname: 'ActionExecutor.run_ipython' })
      .node('class', 'src/job.py', 'Job', 1, 40)
      .node('method', 'src/job.py', 'run', 3, 30, { qualname: 'Job.run' })
      .index();

  it('is the method beside those of the other tools', () => {
    const links = linkStep(index(), agent('run'), run(), { toolNames: new Set(['run', 'run_ipython']) });
    expect(links.map((link) => link.symbol)).toEqual(['ActionExecutor.run']);
  });
});

describe('an unknown name', () => {
  it('that no code has leads nowhere rather than to some shell', () => {
    const index = new Harness().unit('exec_boundary', 'src/env.py', 1, 9).index();
    expect(linkStep(index, agent('frobnicate'), run())).toEqual([]);
  });
});

describe('a failed call', () => {
  it('leads to the place that made its error before the tool itself', () => {
    const index = new Harness()
      .node('tool', 'src/ls.py', 'list_files', 60, 70)
      .node('function', 'src/ls.py', 'list_files', 20, 58)
      .edge('implements-tool', 'tool:list_files', 'src/ls.py#list_files')
      .node('function', 'src/ls.py', 'check', 1, 9)
      .literal('src/ls.py', 'src/ls.py#check', 4, 4, 'The given path must be absolute: ', null)
      .index();
    const failed = { ...result('The given path must be absolute: a/b', 'c1'), isError: true };
    const called = step({ kind: 'agent', calls: [{ ...call('list_files'), id: 'c1' }], results: [failed] });
    expect(linkStep(index, called, run())[0]).toMatchObject({ kind: 'literal', symbol: 'check', start: 4 });
  });
});

describe('keys of a record', () => {
  const index = () =>
    new Harness()
      .node('method', 'src/agent.py', 'serialize', 10, 40, { qualname: 'Agent.serialize' })
      .literal('src/agent.py', 'src/agent.py#Agent.serialize', 12, 12, 'exit_status')
      .literal('src/agent.py', 'src/agent.py#Agent.serialize', 13, 13, 'model_stats')
      .literal('src/agent.py', 'src/agent.py#Agent.serialize', 14, 14, 'trajectory_format')
      .index();

  it('lead weakly to the function that names them', () => {
    const record = JSON.stringify({ exit_status: 'x', model_stats: {}, trajectory_format: 'v1' });
    const links = linkStep(index(), step({ kind: 'event', event: 'note' }), run(), { record });
    expect(links).toMatchObject([{ kind: 'lifecycle', symbol: 'Agent.serialize', start: 10 }]);
    expect(links[0]?.confidence).toBeLessThan(0.4);
  });

  it('that every record has say nothing', () => {
    const record = JSON.stringify({ role: 'user', content: 'x', total_tokens: 3 });
    expect(linkStep(index(), step({ kind: 'event', event: 'note' }), run(), { record })).toEqual([]);
  });
});

describe('what only tests know', () => {
  it('neither declares a tool nor makes a text', () => {
    const index = new Harness()
      .node('tool', 'tests/test_tools.py', 'read_file', 5, 9)
      .literal(
        'tests/test_shell.py',
        'tests/test_shell.py',
        3,
        3,
        'The command was stopped because it took too long to answer',
      )
      .index();
    const text = 'The command was stopped because it took too long to answer';
    expect(linkStep(index, agent('read_file'), run())).toEqual([]);
    expect(linkStep(index, step({ kind: 'tool', results: [result(text)] }), run())).toEqual([]);
  });
});

describe('an example in a prompt', () => {
  it('that a result repeats did not make the result', () => {
    const line =
      '[Your proposed edit has introduced a new syntax error. Please understand the error and retry the command.]';
    const filler = Array.from({ length: 90 }, (_, at) => `Rule ${at}: sentence number ${at} concerns topic${at} only.`);
    const index = new Harness()
      .literal('src/prompt.py', 'src/prompt.py', 1, 99, [...filler.slice(0, 45), line, ...filler.slice(45)].join('\n'))
      .node('function', 'src/edit.py', 'edit', 1, 30)
      .literal('src/edit.py', 'src/edit.py#edit', 12, 12, line)
      .index();
    const links = linkStep(index, step({ kind: 'tool', results: [result(`${line}\nsrc/App.tsx:12`)] }), run());
    expect(links[0]).toMatchObject({ file: 'src/edit.py', symbol: 'edit', start: 12 });
  });
});
