/** Names and texts of people who mean harm, on every page and in the export: they stay text. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  checkHandbook,
  describeUnit,
  HandbookExport,
  handbookHtml,
  handbookJson,
  renameUnit,
  renderPages,
  writePages,
} from '../../../src/core/handbook';
import { markdownHtml } from '../../../src/core/handbook/export/markdownHtml';
import { codeSpan, escapeText, paragraph, safeText } from '../../../src/core/handbook/pages/links';
import type { BuiltHarness } from '../../fixtureHarness';
import { builtFrom, linksOf, pagesOf } from './handmade';

const payloads = [
  '<img src=x onerror=alert(1)>',
  '</article><script>alert(1)</script>',
  '[click](command:workbench.action.terminal.new)',
  '![pixel](https://evil.example/p.png)',
  '`code` `` [x](javascript:alert(1))',
  '&lt;b&gt; &#x3c;i&#x3e;',
  '"><a href="https://evil.example">',
  '<!-- hidden -->',
  '](../../../../etc/passwd)',
];
const source = `import subprocess

import litellm

LIMIT_MESSAGE = """${payloads.slice(0, 4).join('\\n')}"""


class Agent:
    """${payloads[2]} ${payloads[0]}"""

    def run(self, task):
        """${payloads[1]}"""
        messages = [{"role": "user", "content": task}]
        while True:
            answer = litellm.completion(model="${payloads[3]}", messages=messages).choices[0].message.content
            if "${payloads[0]}" in answer:
                return answer
            messages.append({"role": "user", "content": self.act(answer)})

    def act(self, answer):
        if not answer:
            raise ValueError("${payloads[8]}")
        return subprocess.run(answer, shell=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    Agent().run("x")
`;
const odd = 'od d/(a) [b] #1 `c` & <i>é.py';

let evil: BuiltHarness;
beforeAll(async () => {
  evil = await builtFrom({
    'agent.py': source,
    [odd]: 'def load_config(path):\n    return open(path).read()\n\n\ndef use():\n    return load_config("x")\n',
    'prompts/system.md': `${payloads.join('\n\n')}\n`,
    'tools.yaml': `tools:\n  - name: "${payloads[0]}"\n    description: '${payloads[2]}'\n`,
  });
});
afterAll(() => evil.remove());

/** Markdown without code, links that are meant, and escaped letters: what is left must be plain words. */
function bare(markdown: string): string {
  return markdown
    .replace(/^```[\s\S]*?^```/gm, '')
    .replace(/(?<!\\)`[^`\n]*`/g, '')
    .replace(/\[(?:\\.|[^\\\]])*\]\((?:[^)\s]*\.md|[^)\s]*#L\d+(?:-L\d+)?)\)/g, '')
    .replace(/\\[^\w\s]/g, '');
}

describe('texts of a hostile repository', () => {
  it('open no tag, link, picture, command or comment on any page', () => {
    for (const { path, markdown } of pagesOf(evil)) {
      const left = bare(markdown);
      expect([path, left.match(/[<`]|\]\(|!\[|&#?\w+;/g)]).toEqual([path, null]);
    }
  });

  it('reach the export only as text, and no attribute has anything of them', () => {
    const html = handbookHtml(evil.map, pagesOf(evil), '..');
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(html).not.toMatch(/<(?:img|i|b|iframe|object|svg|base|form)\b|<!--/);
    for (const [tag] of html.replace(/<(script|style)>[\s\S]*?<\/\1>/g, '').matchAll(/<[^>]*>/g))
      expect(tag).not.toMatch(/\son\w+\s*=|javascript:|command:|evil\.example/i);
  });

  it('do not change where links to files with odd names lead', async () => {
    const pages = pagesOf(evil);
    let found = 0;
    for (const page of pages) {
      for (const { label, target, start } of linksOf(page.markdown)) {
        if (start === 0 || !label.startsWith(odd)) continue;
        expect(
          (await readFile(join(evil.folder, 'out', page.path, '..', target), 'utf8')).split('\n')[start - 1],
        ).toBeDefined();
        found++;
      }
    }
    expect(found).toBeGreaterThan(0);
  });

  it('leave names of pages plain, short and different', () => {
    const paths = pagesOf(evil).map((page) => page.path);
    for (const path of paths) expect(path).toMatch(/^(?:index\.md|(?:units|stages)\/[A-Za-z0-9-]{1,80}\.md)$/);
    expect(new Set(paths.map((path) => path.toLowerCase())).size).toBe(paths.length);
  });

  it('pass through the check of the written pages and the JSON export unchanged', async () => {
    const folder = join(evil.folder, '.harnessmith', 'cache', 'handbook');
    await writePages(renderPages(evil.map, evil.graph, folder), evil.map, folder);
    expect((await checkHandbook(evil.harness, folder)).problems).toEqual([]);
    const json: unknown = JSON.parse(JSON.stringify(handbookJson(evil.map, evil.graph)));
    expect(HandbookExport.parse(json)).toEqual(json);
  });
});

describe('words of a person or model', () => {
  const starts = [
    '# Heading',
    '- item',
    '1. step',
    '3) step',
    '+ more',
    '* star',
    '> quote',
    '~~~',
    '---',
    '===',
    '| a | b |',
  ];

  it.each([...starts, '    indented', '```sh'])('that begin like a block stay a paragraph: %s', async (text) => {
    const loop = evil.map.loops[0] ?? '';
    await describeUnit({ root: evil.folder, map: evil.map }, loop, `${text} and the rest`);
    await renameUnit({ root: evil.folder, map: evil.map }, loop, text);
    evil = await evil.rebuild();
    const page = pagesOf(evil).find((one) => one.path.startsWith('units/') && one.markdown.includes('and the rest'));
    const lines = page?.markdown.split('\n') ?? [];
    const line = lines.find((one) => one.includes('and the rest')) ?? '';
    expect(line).not.toMatch(/^\s*(?:#{1,6}\s|[-+*>]\s|\d+[.)]\s|~~~|```|---|===)/);
    expect(lines.filter((one) => /^# /.test(one))).toHaveLength(1);
    // The sections below are still sections: nothing above them opened a block that swallows them.
    const html = markdownHtml(page?.markdown ?? '', { anchor: () => undefined, source: () => undefined });
    expect(html).toContain('<h2>Where</h2>');
    expect(html).toContain('and the rest');
    expect(html.match(/<h1>/g)).toHaveLength(1);
  });

  it('are the same words in the export', async () => {
    const html = (text: string) => markdownHtml(paragraph(text), { anchor: () => undefined, source: () => undefined });
    const decoded = (text: string) =>
      text
        .replace(/<\/?p>/g, '')
        .replace(/&lt;/g, '<')
        .replace(/&gt;/g, '>')
        .replace(/&quot;/g, '"')
        .replace(/&#39;/g, "'")
        .replace(/&amp;/g, '&');
    fc.assert(
      fc.property(
        fc.constantFrom(...starts, '#', '12. x', '-'),
        fc.stringMatching(/^[a-z #\-+>*.)~]{0,20}$/),
        (start, rest) => {
          const text = `${start} ${rest}`.trim();
          expect(html(text)).toMatch(/^<p>/);
          expect(decoded(html(text))).toBe(text);
        },
      ),
    );
  });
});

describe('escaping', () => {
  const evilText = fc.string({ unit: fc.constantFrom(...'ab <>[]()`\\*_|&#;!"\'\n\r\t-.:/'), maxLength: 60 });

  it('leaves no markup, whatever the text', () => {
    fc.assert(
      fc.property(evilText, (text) => {
        for (const escaped of [escapeText(text), safeText(text), codeSpan(text)]) {
          expect(escaped).not.toMatch(/[\r\n]/);
          const left = escaped.replace(/^`[^`]+`$|\\.|`[^`]+`/g, '');
          expect(left).not.toMatch(/[<>[\]]/);
        }
      }),
    );
  });

  it('keeps a code span one span, also of nothing, spaces and backticks', () => {
    for (const text of ['', ' ', '`', '``', ' `x` ', 'a\nb', '\\']) expect(codeSpan(text)).toMatch(/^`[^`\n]+`$/);
  });
});

it('pages on disk are written by their content only: a page that a person changed is put right again', async () => {
  const folder = join(evil.folder, 'put-right');
  const pages = pagesOf(evil);
  await writePages(pages, evil.map, folder);
  await writeFile(join(folder, 'index.md'), '# Mine\n');
  await writePages(pages, evil.map, folder);
  expect(await readFile(join(folder, 'index.md'), 'utf8')).toBe(pages[0]?.markdown);
});
