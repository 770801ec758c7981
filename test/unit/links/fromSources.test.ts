import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildLinkIndex, Link, type LinkIndex, linkStep } from '../../../src/core/links';
import { graphOf } from '../graph/sources';
import { Harness, result, run, step } from './helpers';

/** The index of real sources, with a handbook that has no units: what is found comes from the code alone. */
async function indexOf(sources: Record<string, string>): Promise<LinkIndex> {
  const { graph } = await graphOf(sources);
  return buildLinkIndex(graph, new Harness().index().places.map);
}

const AGENT = `import os

SYSTEM = "You are a careful engineer who reads files before changing any of them."
FEEDBACK = """Your last reply had no command.
Please answer with exactly one command in a code block, not {count}.
Everything outside of the block is ignored by the program."""
STEP_LIMIT = int(os.getenv("AGENT_STEP_LIMIT", "40"))


class OutOfBudget(Exception):
    pass


class Agent:
    def check(self, spent):
        if spent > STEP_LIMIT:
            raise OutOfBudget(f"The budget of {STEP_LIMIT} steps for this task is used up")

    def observe(self, output):
        return "The command\\u2019s output was cut after %d of 100%% of its lines" % len(output)

    def parse(self, reply):
        return FEEDBACK.format(count=reply.count("x"))
`;
const TOOLS = `from agent import Agent


@tool
def read_file(path: str):
    """Reads a file of the project."""
    return open(path).read()


def grep_text(pattern):
    return pattern


REGISTRY = [{"name": "grep", "description": "Finds text", "parameters": {}, "function": grep_text}]
`;
const sources = { 'src/harness/agent.py': AGENT, 'src/harness/tools.py': TOOLS };

const first = async (change: Parameters<typeof step>[0], about: Parameters<typeof run>[0] = {}) =>
  linkStep(await indexOf(sources), step(change), run(about))[0];

describe('literal links from real sources', () => {
  it('a string of one line, at its line', async () => {
    expect(
      await first({ kind: 'system', text: 'You are a careful engineer who reads files before changing any of them.' }),
    ).toMatchObject({ kind: 'literal', file: 'src/harness/agent.py', symbol: '', start: 3, end: 3 });
  });

  it('a template kept in a constant, filled elsewhere, with its lines and the quote that shows it', async () => {
    const text =
      'Your last reply had no command.\nPlease answer with exactly one command in a code block, not 3.\nEverything outside of the block is ignored by the program.';
    const link = await first({ kind: 'user', text });
    expect(link).toMatchObject({ kind: 'literal', start: 4, end: 6 });
    expect(link?.reason).toMatch(/^literal text, all of it found, from "Your last reply had no command\./);
    expect(link?.confidence).toBeGreaterThan(0.8);
  });

  it('only a part of a template: the lines of that part', async () => {
    const text = 'Everything outside of the block is ignored by the program.';
    expect(await first({ kind: 'user', text })).toMatchObject({ kind: 'literal', start: 6, end: 6 });
  });

  it('an f-string inside a method names the method', async () => {
    expect(
      await first({ kind: 'event', event: 'limit', text: 'The budget of 40 steps for this task is used up' }),
    ).toMatchObject({ kind: 'literal', symbol: 'Agent.check', start: 17, end: 17 });
  });

  it('a percent format with an escaped letter and a doubled sign is found as the program prints it', async () => {
    const link = await first({ results: [result('The command\u2019s output was cut after 12 of 100% of its lines')] });
    expect(link).toMatchObject({ kind: 'literal', symbol: 'Agent.observe', start: 20 });
    expect(link?.reason).toContain('literal text, all of it found');
  });

  it('nothing of the harness in a text gives no literal link', async () => {
    const links = linkStep(
      await indexOf(sources),
      step({ results: [result('total 12\ndrwxr-xr-x 2 root root 4096 src\n-rw-r--r-- 1 root root 12 README.md')] }),
      run(),
    );
    expect(links.filter((link) => link.kind === 'literal')).toEqual([]);
  });
});

describe('the other kinds from real sources', () => {
  it('recorded frames: function and line agree', async () => {
    const text =
      'Traceback (most recent call last):\n  File "/opt/venv/lib/harness/agent.py", line 17, in check\n    raise OutOfBudget\nOutOfBudget: used up';
    const link = await first({ results: [result(text)] });
    expect(link).toMatchObject({
      kind: 'frame',
      file: 'src/harness/agent.py',
      symbol: 'Agent.check',
      start: 17,
      end: 17,
    });
    expect(link?.reason).toMatch(/^traceback, innermost harness frame: .*agent\.py:17; function and line agree/);
  });

  it.each([
    ['read_file', 'read_file', 4, 7],
    ['grep', 'grep_text', 10, 11],
  ])('tools: a call of %s leads to what runs it, decorators included', async (name, symbol, start, end) => {
    const link = await first({ kind: 'agent', calls: [{ id: 'c', name, args: {} }] });
    expect(link).toMatchObject({ kind: 'tool', file: 'src/harness/tools.py', symbol, start, end });
    expect(link?.reason).toBe(`runs the tool ${name} that the step calls`);
  });

  it('configuration: a key that a text names leads to the line that reads it', async () => {
    const link = await first({ kind: 'user', text: 'AGENT_STEP_LIMIT is what stops you.' });
    expect(link).toMatchObject({ kind: 'configuration', file: 'src/harness/agent.py', start: 7, end: 7 });
    expect(link?.reason).toBe('the text names the configuration key AGENT_STEP_LIMIT');
  });

  it('the end of a run: where its status is raised, then the class of the status', async () => {
    const links = linkStep(
      await indexOf(sources),
      step({ kind: 'event', event: 'exception', text: '' }),
      run({ exitStatus: 'OutOfBudget' }),
    );
    expect(links).toMatchObject([
      { kind: 'lifecycle', symbol: 'Agent.check', start: 17, end: 17 },
      { kind: 'lifecycle', symbol: 'OutOfBudget', start: 10, end: 11 },
    ]);
    expect(links[0]?.reason).toBe('raises OutOfBudget, the status this run ended with');
  });

  it('TypeScript: a template literal, a tool in an object, a frame', async () => {
    const index = await indexOf({
      'src/loop.ts': `export class Loop {
  stop(turns: number): string {
    return \`The conversation ended after \${turns} turns because no tool was called\`;
  }
}
export const tools = {
  shell: tool({
    description: 'Run a command',
    inputSchema: schema,
    execute: async ({ command }) => {
      return start(command);
    },
  }),
};
`,
    });
    const ended = 'The conversation ended after 12 turns because no tool was called';
    expect(linkStep(index, step({ kind: 'event', text: ended }), run())[0]).toMatchObject({
      kind: 'literal',
      symbol: 'Loop.stop',
      start: 3,
      end: 3,
    });
    const call = step({ kind: 'agent', calls: [{ id: 'c', name: 'shell', args: {} }] });
    expect(linkStep(index, call, run())[0]).toMatchObject({
      kind: 'tool',
      symbol: 'tools.shell.execute',
      start: 10,
      end: 12,
    });
    const trace = 'Error: no\n    at Loop.stop (/srv/app/src/loop.ts:3:12)';
    expect(linkStep(index, step({ results: [result(trace)] }), run())[0]).toMatchObject({ kind: 'frame', start: 3 });
  });
});

describe('links of any step', () => {
  it('are well formed, best first, one a place, inside their file, and the same every time', async () => {
    const index = await indexOf(sources);
    const lines = new Map(index.graph.data.files.map((file) => [file.path, file.lines]));
    const pieces = [
      ...AGENT.split('\n'),
      ...TOOLS.split('\n'),
      'OutOfBudget',
      'File "harness/agent.py", line 99, in x',
      '\0',
      '`',
    ];
    const text = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => parts.join('\n'));
    const name = fc.constantFrom('grep', 'read_file', 'bash', 'Agent', '', '__', 'a.b.c');
    fc.assert(
      fc.property(
        fc.constantFrom('system', 'user', 'agent', 'tool', 'event'),
        text,
        text,
        name,
        (kind, said, got, tool) => {
          const one = step({ kind, text: said, calls: [{ id: 'c', name: tool, args: got }], results: [result(got)] });
          const links = linkStep(index, one, run({ exitStatus: 'OutOfBudget' }));
          expect(linkStep(index, one, run({ exitStatus: 'OutOfBudget' }))).toEqual(links);
          const places = links.map((link) => `${link.file} ${link.symbol} ${link.start}`);
          expect(new Set(places).size).toBe(places.length);
          for (const [at, link] of links.entries()) {
            Link.parse(link);
            expect(link.start).toBeGreaterThanOrEqual(1);
            expect(link.end).toBeGreaterThanOrEqual(link.start);
            expect(link.end).toBeLessThanOrEqual(lines.get(link.file) ?? 0);
            expect(link.reason).not.toBe('');
            if (at > 0) expect(link.confidence).toBeLessThanOrEqual(links[at - 1]!.confidence);
          }
        },
      ),
      { numRuns: 120 },
    );
  });
});
