import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exportHandbook, HandbookExport, handbookHtml, handbookJson, renderPages } from '../../../src/core/handbook';
import { escapeHtml, markdownHtml } from '../../../src/core/handbook/export/markdownHtml';
import { escapeText, safeText, upwards } from '../../../src/core/handbook/pages/links';
import { type BuiltHarness, builtFixture } from '../../fixtureHarness';

let pebble: BuiltHarness;
let folder: string;
let html: string;
beforeAll(async () => {
  pebble = await builtFixture('pebble');
  folder = join(pebble.folder, 'out');
  html = handbookHtml(pebble.map, renderPages(pebble.map, pebble.graph, folder), upwards(folder, pebble.folder));
});
afterAll(() => pebble.remove());

const links = { anchor: () => undefined, source: () => undefined };

describe('the handbook as one HTML file', () => {
  it('has every page once, and every link leads to one of them', () => {
    const ids = [...html.matchAll(/<article id="([^"]+)"/g)].map((match) => match[1]);
    expect(ids).toHaveLength(1 + pebble.map.stages.length + pebble.map.units.length);
    expect(new Set(ids).size).toBe(ids.length);
    const targets = [...html.matchAll(/<a href="([^"]*)"/g)].map((match) => match[1] ?? '');
    expect(targets.length).toBeGreaterThan(ids.length * 2);
    for (const target of targets) expect(ids).toContain(target.slice(1));
  });

  it('asks for nothing from elsewhere, and its policy allows exactly its own style and script', () => {
    expect(html).not.toMatch(/\b(?:src|href)="(?!#)/);
    expect(html).not.toMatch(/url\(|@import|fetch\(|XMLHttpRequest|innerHTML|\son\w+=/);
    const policy = /Content-Security-Policy" content="([^"]+)"/.exec(html)?.[1] ?? '';
    expect(policy).toContain("default-src 'none'");
    for (const [tag, name] of [
      ['style', 'style-src'],
      ['script', 'script-src'],
    ]) {
      const blocks = [...html.matchAll(new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`, 'g'))];
      expect(blocks).toHaveLength(1);
      const hash = createHash('sha256')
        .update(blocks[0]?.[1] ?? '')
        .digest('base64');
      expect(policy).toContain(`${name} 'sha256-${hash}'`);
    }
  });

  it('shows places in the source as file and line', () => {
    expect(html).toContain('<span class="source">pebble/agent.py:21-33</span>');
    expect(html).toMatch(/<span class="source" title="pebble\/agent\.py:\d+">line \d+<\/span>/);
    expect(html).not.toContain('](');
  });

  it('has a script that a JavaScript engine can read', () => {
    const script = /<script>([\s\S]*?)<\/script>/.exec(html)?.[1] ?? '';
    expect(() => new Function(script)).not.toThrow();
  });

  it('lets nothing of the source become markup', () => {
    const map = structuredClone(pebble.map);
    const evil = '"><script>alert(1)</script><img src=x onerror=alert(1)> `</code><b>`';
    for (const unit of map.units) {
      Object.assign(unit, { title: evil, summary: evil });
      unit.reasons.push(`${evil} (pebble/agent.py:1)`);
    }
    map.harness = evil;
    for (const register of map.registers) register.name = evil;
    const page = handbookHtml(map, renderPages(map, pebble.graph, folder), upwards(folder, pebble.folder));
    expect([...page.matchAll(/<script/g)]).toHaveLength(1);
    expect(page).not.toMatch(/<img|<b>/);
  });

  it('is the same twice', () => {
    const again = handbookHtml(
      pebble.map,
      renderPages(pebble.map, pebble.graph, folder),
      upwards(folder, pebble.folder),
    );
    expect(again).toBe(html);
  });
});

describe('markdownHtml', () => {
  it('makes headings, lists, paragraphs, code and links', () => {
    const markdown =
      '# A\n\ntext `x < y` \\*z\\*\n\n- one\n- two\n\n1. first\n\n```text\na -> b\n```\n\n[p](units/p.md) [s](../a.py#L1)';
    const found = { anchor: (target: string) => (target.endsWith('.md') ? 'u-1' : undefined), source: () => 'a.py:1' };
    expect(markdownHtml(markdown, found)).toBe(
      [
        '<h1>A</h1>',
        '<p>text <code>x &lt; y</code> *z*</p>',
        '<ul>',
        '<li>one</li>',
        '<li>two</li>',
        '</ul>',
        '<ol>',
        '<li>first</li>',
        '</ol>',
        '<pre>a -&gt; b</pre>',
        '<p><a href="#u-1">p</a> s <span class="source">a.py:1</span></p>',
      ].join('\n'),
    );
  });

  it('gives text back as it was after escaping, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 80 }), (text) => {
        const line = text.replace(/\s*[\r\n\u2028\u2029]+\s*/g, ' ').trim();
        const out = markdownHtml(`x ${escapeText(line)}`, links);
        const plain = out
          .replace(/^<p>|<\/p>$/g, '')
          .replace(/&lt;/g, '<')
          .replace(/&gt;/g, '>')
          .replace(/&quot;/g, '"')
          .replace(/&#39;/g, "'")
          .replace(/&amp;/g, '&');
        expect(plain).toBe(`x ${line}`);
      }),
    );
  });

  it('never lets text become a tag of its own', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'<>&"\'`[]()\\#-1. \nab/:'), maxLength: 120 }), (text) => {
        for (const markdown of [text, safeText(text), escapeText(text)]) {
          const tags = [...markdownHtml(markdown, links).matchAll(/<\/?([^>]*)>/g)].map((match) => match[1]);
          for (const tag of tags) expect(['p', 'ul', 'ol', 'li', 'h1', 'h2', 'h3', 'pre', 'code']).toContain(tag);
        }
      }),
    );
    expect(escapeHtml('<a b="c" d=\'e\'>&')).toBe('&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;');
  });
});

describe('the handbook as JSON', () => {
  it('fits its schema and explains every id of the map', () => {
    const exported = HandbookExport.parse(JSON.parse(JSON.stringify(handbookJson(pebble.map, pebble.graph))));
    const ids = new Set(exported.nodes.map((node) => node.id));
    for (const unit of exported.map.units)
      for (const id of [...unit.members, ...unit.prompts, ...unit.tools, ...unit.config]) expect(ids).toContain(id);
    expect(exported.map).toEqual(JSON.parse(JSON.stringify(pebble.map)));
  });
});

describe('exportHandbook', () => {
  it('writes only what is asked for', async () => {
    const out = await mkdtemp(join(tmpdir(), 'harnessmith-export-'));
    await exportHandbook(pebble.map, pebble.graph, out, ['json']);
    expect(await readdir(out)).toEqual(['handbook.json']);
    const written = await exportHandbook(pebble.map, pebble.graph, out, ['html', 'md']);
    expect(written.map((one) => one.format)).toEqual(['md', 'html']);
    expect((await readdir(out)).sort()).toEqual([
      'handbook.html',
      'handbook.json',
      'index.md',
      'map.json',
      'stages',
      'units',
    ]);
    expect(await readFile(join(out, 'handbook.html'), 'utf8')).toContain('</html>');
    await rm(out, { recursive: true });
  });
});
