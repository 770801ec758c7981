/** What each part of the page of a unit says, compared with sources that are written here line by line. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renderPages, unitPagePath } from '../../../src/core/handbook';
import type { BuiltHarness } from '../../fixtureHarness';
import { builtFrom, linksOf, ownerOf, pagesOf, plain, sectionsOf } from './handmade';

const loop = `import { complete } from './model';
import { runTool } from './tools';
import { MAX_TURNS, settings } from './settings';

export class Session {
  private turns = 0;
  private messages: string[] = [];

  async run(task: string): Promise<string> {
    this.messages = [task];
    while (this.turns < MAX_TURNS) {
      this.turns += 1;
      const answer = await complete(this.messages, settings.temperature);
      if (answer.includes('DONE')) return answer;
      try {
        this.messages.push(await runTool(answer));
      } catch (error) {
        this.messages.push(String(error));
      }
    }
    throw new TurnsExceeded('too many turns');
  }
}

export class TurnsExceeded extends Error {}
`;
const model = `import OpenAI from 'openai';

const client = new OpenAI();

export async function complete(messages: string[], temperature: number): Promise<string> {
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      return await ask(messages, temperature);
    } catch (error) {
      await new Promise((resolve) => setTimeout(resolve, 2 ** attempt * 1000));
    }
  }
  throw new Error('the model does not answer');
}

async function ask(messages: string[], temperature: number): Promise<string> {
  const response = await client.chat.completions.create({ model: 'small', messages, temperature });
  return response.choices[0].message.content;
}
`;
const tools = `import { execFile } from 'node:child_process';

export const tools = [{ name: 'run_shell', description: 'Runs a command.', run: shell }];

export async function runTool(answer: string): Promise<string> {
  const tool = tools.find((one) => answer.startsWith(one.name));
  if (!tool) throw new Error('unknown tool');
  return tool.run(answer);
}

async function shell(command: string): Promise<string> {
  return new Promise((resolve) => execFile('sh', ['-c', command], (_error, out) => resolve(out)));
}
`;
const unused = `export function neverCalled(text: string): string {
  return text.trim();
}
`;
const settings = `export const MAX_TURNS = 25;
export const settings = { temperature: 0.2 };
`;
const cli = `import { Session } from './loop';

async function main(): Promise<void> {
  console.log(await new Session().run(process.argv[2] ?? ''));
}

main();
`;
const sources: Record<string, string> = {
  'src/loop.ts': loop,
  'src/model.ts': model,
  'src/tools.ts': tools,
  'src/settings.ts': settings,
  'src/cli.ts': cli,
  'src/unused.ts': unused,
  'package.json': '{"name": "tiny", "bin": {"tiny": "src/cli.ts"}}\n',
};

let tiny: BuiltHarness;
beforeAll(async () => {
  tiny = await builtFrom(sources);
});
afterAll(() => tiny.remove());

/** Number of the line of a source that has a text. */
function lineOf(file: string, text: string): number {
  const at = (sources[file] ?? '').split('\n').findIndex((line) => line.includes(text));
  expect(at).toBeGreaterThanOrEqual(0);
  return at + 1;
}
const run = () => tiny.map.units.find((unit) => unit.id === tiny.map.loops[0]);
const partsOfLoop = () => sectionsOf(tiny, run()?.id ?? '');

describe('the page of the loop', () => {
  it('says in its head what it is, where it stands and what it does', () => {
    const [title, headline, summary] = partsOfLoop()[''] ?? [];
    expect(title).toMatch(/^# .*Session\.run/);
    expect(plain(headline ?? '')).toMatch(/^Kind: agent loop\. Stage: .*\.$/);
    expect(summary?.length).toBeGreaterThan(20);
  });

  it('names as trigger who calls it and on which line', () => {
    const line = lineOf('src/cli.ts', 'new Session().run');
    expect(partsOfLoop()['Runs when']?.map(plain)).toEqual([
      expect.stringMatching(new RegExp(`^- called by .*main.* at src/cli\\.ts:${line}$`)),
    ]);
  });

  it('goes through its calls in the order of the source, each on its line', () => {
    const path = (partsOfLoop()['Main path'] ?? []).map(plain);
    const [ask, tool] = [
      path.findIndex((line) => /`complete`/.test(line)),
      path.findIndex((line) => /`runTool`/.test(line)),
    ];
    expect(path[ask]).toContain(`at line ${lineOf('src/loop.ts', 'await complete(')}: \`complete\``);
    expect(path[tool]).toContain(`at line ${lineOf('src/loop.ts', 'await runTool(')}: \`runTool\``);
    expect(ask).toBeLessThan(tool);
    path.forEach((line, index) => {
      expect(line.startsWith(`${index + 1}. `)).toBe(true);
    });
  });

  it('lists state with each access and its line', () => {
    const state = (partsOfLoop().State ?? []).map(plain);
    const turns = state.find((line) => line.includes('`turns`'));
    expect(turns).toContain('(attribute of `Session`)');
    expect(turns).toContain(`read line ${lineOf('src/loop.ts', 'while (this.turns')}`);
    expect(turns).toContain(`write line ${lineOf('src/loop.ts', 'this.turns += 1')}`);
    const messages = state.find((line) => line.includes('`messages`'));
    expect(messages).toContain(`write line ${lineOf('src/loop.ts', 'this.messages = [task]')}`);
    expect(messages).toContain(`write line ${lineOf('src/loop.ts', 'messages.push(await')}`);
  });

  it('lists what it raises and what it handles', () => {
    const failures = (partsOfLoop()['Errors and fallbacks'] ?? []).map(plain);
    expect(failures).toEqual([
      expect.stringMatching(`^- handles .* at src/loop.ts:${lineOf('src/loop.ts', 'catch (error)')}$`),
      `- raises \`TurnsExceeded\` at src/loop.ts:${lineOf('src/loop.ts', 'throw new TurnsExceeded')}`,
    ]);
  });

  it('names the limits it reads with a link, and leaves their values to the page that owns them', () => {
    const configuration = (partsOfLoop().Configuration ?? []).map(plain);
    expect(configuration).toContain('- MAX_TURNS');
    expect(configuration.join('\n')).not.toContain('25');
    const owner = ownerOf(tiny, 'src/settings.ts#MAX_TURNS');
    expect((sectionsOf(tiny, owner.id).Configuration ?? []).map(plain)).toContain('- MAX_TURNS = `25`');
  });

  it('gives evidence whose quotes stand in the lines it names', async () => {
    const evidence = partsOfLoop().Evidence ?? [];
    expect(evidence.length).toBeGreaterThan(0);
    let quotes = 0;
    for (const line of evidence) {
      const [, quote, file, at] = /`([^`]+)`[^`]*\(([^()\s]+):(\d+)\)$/.exec(line) ?? [];
      if (!quote || !file) continue;
      const lines = (await readFile(join(tiny.folder, file), 'utf8')).split('\n');
      expect(lines.slice(Number(at) - 1, Number(at) + 2).join(' ')).toContain(quote.replace(/\(.*$|\.\.\.$/, ''));
      quotes++;
    }
    expect(quotes).toBeGreaterThan(0);
  });
});

describe('the pages of other units', () => {
  it('say of a function that nobody calls that no caller was found, and only of such', () => {
    const without = pagesOf(tiny).filter((page) => page.markdown.includes('No caller of it was found'));
    const unused = ownerOf(tiny, 'src/unused.ts#neverCalled');
    expect(without.map((page) => page.path)).toContain(unitPagePath(unused.id));
    for (const { title } of without) expect(title).not.toMatch(/Session\.run|complete|ask|runTool|shell/);
  });

  it('say of a tool that only a table calls under which name the model has it', () => {
    const tool = ownerOf(tiny, 'src/tools.ts#shell');
    const page = pagesOf(tiny).find((one) => one.path === unitPagePath(tool.id))?.markdown;
    expect(page).toContain('Declared for the model as `run_shell`; no code that calls it by name was found.');
  });

  it('tell of a retry what it catches, and of the unit around it what it raises in the end', () => {
    const retry = tiny.map.units.find((unit) => unit.kind === 'retry');
    const failures = (sectionsOf(tiny, retry?.id ?? '')['Errors and fallbacks'] ?? []).map(plain);
    expect(failures.join('\n')).toContain(
      `- handles \`error\` at src/model.ts:${lineOf('src/model.ts', 'catch (error)')}`,
    );
    const raising = pagesOf(tiny).filter((page) =>
      plain(page.markdown).includes(`at src/model.ts:${lineOf('src/model.ts', 'throw new Error')}`),
    );
    expect(raising.map((page) => page.title)).toEqual([expect.stringMatching(/complete|model/i)]);
  });

  it('never list a unit as its own caller or step', () => {
    for (const unit of tiny.map.units) {
      expect(unit.calls).not.toContain(unit.id);
      expect(unit.callers).not.toContain(unit.id);
    }
  });

  it('show nothing as empty: no heading without a line, no empty code span, no words of code for nothing', () => {
    for (const page of pagesOf(tiny)) {
      expect(page.markdown).not.toMatch(/^## .*\n+(?=## |$(?![\s\S]))/m);
      expect(page.markdown).not.toMatch(/(?<!`)``(?!`)/);
      expect(page.markdown).not.toMatch(/\bundefined\b|\bNaN\b|\[object|\bnull\b/);
    }
  });
});

describe('the first page', () => {
  const first = () => pagesOf(tiny)[0]?.markdown ?? '';

  it('says where a run starts and turns, where things are, and what bounds it', () => {
    expect(first()).toMatch(/A run starts in `(main|src\/cli\.ts)` and turns in `Session\.run`\./);
    const places = plain(first().split('## Where things are')[1]?.split('\n## ')[0] ?? '');
    expect(places).toContain('in src/model.ts');
    expect(places).toContain('Tools for the model: `run_shell`');
    expect(first()).toMatch(/\[MAX\\_TURNS\]\([^)]*settings\.ts#L1\) = `25`/);
  });

  it('says what was looked for and not found, and each of that is on no other page as found', () => {
    const missing = plain(first().split('## Looked for and not found')[1]?.split('\n## ')[0] ?? '');
    for (const text of tiny.map.notFound.slice(0, 8)) expect(missing).toContain(plain(text));
    expect(missing).toMatch(/compact/i);
    expect(tiny.map.units.some((unit) => unit.kind === 'compaction')).toBe(false);
    expect(missing).not.toMatch(/no retry|no model call|no agent loop/i);
  });

  it('counts what there is', () => {
    const { counts } = tiny.map;
    expect(first()).toContain(`${counts.functions} functions`);
    expect(first()).toContain(`${counts.assignedLines} of ${counts.codeLines} code lines`);
    expect(counts.functions).toBe(tiny.graph.functions().length);
  });
});

it('every link of every page leads to a page or to lines of a file that has what its words name', async () => {
  const pages = pagesOf(tiny);
  const titles = new Map(pages.map((page) => [join(tiny.folder, 'out', page.path), page.title]));
  let [toPages, toLines] = [0, 0];
  for (const page of pages) {
    for (const { label, target, start, end } of linksOf(page.markdown)) {
      const path = join(tiny.folder, 'out', page.path, '..', target);
      if (start === 0) {
        expect([page.path, titles.has(path)]).toEqual([page.path, true]);
        toPages++;
        continue;
      }
      const lines = (await readFile(path, 'utf8')).split('\n');
      expect(end).toBeLessThanOrEqual(lines.length);
      const named = /^(.+):(\d+)(?:-(\d+))?$/.exec(label);
      if (named) expect([join(tiny.folder, named[1] ?? ''), Number(named[2])]).toEqual([path, start]);
      else if (!/^line \d+$/.test(label))
        expect(lines.slice(start - 1, end).join('\n')).toContain(label.split('.').at(-1));
      toLines++;
    }
  }
  expect(Math.min(toPages, toLines)).toBeGreaterThan(20);
});

it('a place without a name of its own is named by its file on the first page', () => {
  const map = structuredClone(tiny.map);
  for (const unit of map.units) for (const site of unit.sites) site.symbol = '';
  const index = renderPages(map, tiny.graph)[0]?.markdown ?? '';
  expect(index).toContain('A run starts in `src/cli.ts` and turns in `src/loop.ts`.');
});

it('a script whose loop is in no function has the reason on its first page', async () => {
  const script = await builtFrom({
    'agent.py':
      'import litellm\nwhile True:\n    answer = litellm.completion(model="m", messages=[])\n    print(answer)\n',
  });
  const index = pagesOf(script)[0]?.markdown ?? '';
  expect(index).toContain('No agent loop was found; the units below');
  expect(index).toContain('- Agent loop: no function was found whose own loop reaches both a model call and');
  await script.remove();
});
