import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import type { BehaviourMap } from '../model';
import type { Page } from '../pages';
import { stagePath, unitPath } from '../pages/links';
import { script, style } from './look';
import { escapeHtml, type HtmlLinks, markdownHtml } from './markdownHtml';

/**
 * All pages as one file that needs nothing else: no network, no other files. Its policy allows its own style and script
 * and nothing more. Links between pages are anchors; links to the source are shown as `file:line`.
 * @param up Path from the folder the pages were rendered for to the repository, see `renderPages`.
 */
export function handbookHtml(map: BehaviourMap, pages: readonly Page[], up: string): string {
  const anchors = new Map(pages.map((page) => [page.path, anchorOf(page.path)]));
  const articles = pages.map((page) => {
    const html = markdownHtml(page.markdown, linksFrom(page.path, anchors, up));
    return `<article id="${anchors.get(page.path)}" data-title="${escapeHtml(page.title)}">\n${html}\n</article>`;
  });
  const title = escapeHtml(`Handbook of ${map.harness}`);
  const policy = `default-src 'none'; style-src '${hashOf(style)}'; script-src '${hashOf(script)}'; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<header><a href="#index">${title}</a><input id="search" type="search" placeholder="Search: press /" aria-label="Search the handbook" autocomplete="off"></header>
<ol id="results" aria-live="polite"></ol>
<div class="frame">
<nav aria-label="Stages and units">
${navigation(map)}
</nav>
<main>
${articles.join('\n')}
</main>
</div>
<script>${script}</script>
</body>
</html>
`;
}

/** Stages with their units; of subsystems only the stage, whose page lists its units. */
function navigation(map: BehaviourMap): string {
  const titles = new Map(map.units.map((unit) => [unit.id, unit.title]));
  const link = (path: string, text: string) => `<a href="#${anchorOf(path)}">${escapeHtml(text)}</a>`;
  const flow = map.stages
    .filter((stage) => stage.kind !== 'subsystem')
    .map((stage) => {
      const units = stage.units.map((id) => `<li>${link(unitPath(id), titles.get(id) ?? id)}</li>`);
      const open = stage.kind === 'loop' ? ' open' : '';
      return `<details${open}><summary>${link(stagePath(stage), stage.title)} (${stage.units.length})</summary><ul>${units.join('')}</ul></details>`;
    });
  const folders = map.stages
    .filter((stage) => stage.kind === 'subsystem')
    .map((stage) => `<li>${link(stagePath(stage), stage.id.slice('subsystem:'.length))} (${stage.units.length})</li>`);
  return `${flow.join('\n')}${folders.length > 0 ? `\n<details><summary>Subsystems</summary><ul>${folders.join('')}</ul></details>` : ''}`;
}

/** `index`, or a letter and the digits that end the file name, which no other page has. */
function anchorOf(path: string): string {
  const digits = /-([0-9a-f]{6})\.md$/.exec(path)?.[1];
  return digits === undefined ? path.replace(/\.md$/, '') : `${path.slice(0, 1)}-${digits}-${short(path)}`;
}

/** Six digits alone may fall together in a big harness. */
function short(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 6);
}

function linksFrom(page: string, anchors: ReadonlyMap<string, string>, up: string): HtmlLinks {
  const folder = posix.dirname(page);
  const root = posix.join(posix.relative(folder, '.') || '.', up);
  return {
    anchor: (target) => (target.includes('#') ? undefined : anchors.get(posix.join(folder, decoded(target)))),
    source: (target) => {
      const [path = '', lines = ''] = target.split('#');
      const match = /^L(\d+)(?:-L(\d+))?$/.exec(lines);
      if (!match) return undefined;
      const file = posix.relative(root, decoded(path));
      return `${file}:${match[1]}${match[2] ? `-${match[2]}` : ''}`;
    },
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // no link of ours
  }
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
