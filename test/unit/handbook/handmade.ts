import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Page, renderPages, type Unit, unitPagePath } from '../../../src/core/handbook';
import { type BuiltHarness, built } from '../../fixtureHarness';

/** Writes sources to a temporary folder, indexes it and builds its map. */
export async function builtFrom(files: Record<string, string>): Promise<BuiltHarness> {
  const folder = await mkdtemp(join(tmpdir(), 'harnessmith-handmade-'));
  await writeSources(folder, files);
  return built(folder);
}

export async function writeSources(folder: string, files: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

/** Runs git in a folder, as somebody of no importance. @throws when it fails, with what it printed. */
export function gitIn(folder: string, ...args: string[]): string {
  const who = ['-c', 'user.name=A', '-c', 'user.email=a@b.example', '-c', 'commit.gpgsign=false'];
  return execFileSync('git', [...who, ...args], { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** The unit that owns a definition. */
export function ownerOf(harness: BuiltHarness, id: string): Unit {
  const unit = harness.map.units.find((one) => one.members.includes(id));
  if (!unit) throw new Error(`no unit owns ${id}`);
  return unit;
}

/** The page of a unit as its sections: lines below each `## ` heading, and the head under an empty name. */
export function sectionsOf(harness: BuiltHarness, unitId: string): Record<string, string[]> {
  const page = pagesOf(harness).find((one) => one.path === unitPagePath(unitId));
  const sections: Record<string, string[]> = { '': [] };
  let name = '';
  for (const line of (page?.markdown ?? '').split('\n')) {
    const heading = /^## (.*)/.exec(line)?.[1];
    if (heading !== undefined) {
      name = heading;
      sections[name] = [];
    } else if (line !== '') sections[name]?.push(line);
  }
  return sections;
}

export function pagesOf(harness: BuiltHarness): Page[] {
  return renderPages(harness.map, harness.graph, join(harness.folder, 'out'));
}

/** Every link of a page: what it says, the path it leads to, and its lines; of links to pages the lines are 0. */
export function linksOf(markdown: string): { label: string; target: string; start: number; end: number }[] {
  return [...markdown.matchAll(/\[((?:\\.|[^\\\]])*)\]\(([^)#]+)(?:#L(\d+)(?:-L(\d+))?)?\)/g)].map((match) => ({
    label: (match[1] ?? '').replace(/\\(.)/g, '$1'),
    target: decodeURIComponent(match[2] ?? ''),
    start: Number(match[3] ?? 0),
    end: Number(match[4] ?? match[3] ?? 0),
  }));
}

/** A link as a reader sees it: its words, without where it leads. */
export function plain(line: string): string {
  return line
    .replace(/\]\([^)]*\)/g, '')
    .replace(/(?<!\\)\[/g, '')
    .replace(/\\(.)/g, '$1');
}
