/** What a link of a page becomes. */
export interface HtmlLinks {
  /** Anchor of another page, by its target as written; undefined when it is no page. */
  anchor(target: string): string | undefined;
  /** `file:line` of a link to the source; undefined when it is none. */
  source(target: string): string | undefined;
}

/** Text as HTML text or attribute value. */
export function escapeHtml(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return text.replace(/[&<>"']/g, (char) => entities[char] as string);
}

/**
 * The Markdown that pages are made of (headings, lists, paragraphs, code spans and blocks, links) as HTML. Everything else
 * is text: nothing of a page becomes markup of its own.
 */
export function markdownHtml(markdown: string, links: HtmlLinks): string {
  const html: string[] = [];
  let list: 'ul' | 'ol' | undefined;
  let code: string[] | undefined;
  const endList = () => {
    if (list) html.push(`</${list}>`);
    list = undefined;
  };
  for (const line of markdown.split(/\r?\n/)) {
    if (code) {
      if (line.startsWith('```')) {
        html.push(`<pre>${escapeHtml(code.join('\n'))}</pre>`);
        code = undefined;
      } else code.push(line);
      continue;
    }
    const item = /^(?:(-)|\d+\.) (.*)$/.exec(line);
    if (item) {
      const kind = item[1] ? 'ul' : 'ol';
      if (list !== kind) {
        endList();
        html.push(`<${kind}>`);
        list = kind;
      }
      html.push(`<li>${inlineHtml(item[2] ?? '', links)}</li>`);
      continue;
    }
    endList();
    const heading = /^(#{1,3}) (.*)$/.exec(line);
    if (line.startsWith('```')) code = [];
    else if (heading)
      html.push(`<h${heading[1]?.length}>${inlineHtml(heading[2] ?? '', links)}</h${heading[1]?.length}>`);
    else if (line.trim() !== '') html.push(`<p>${inlineHtml(line, links)}</p>`);
  }
  endList();
  if (code) html.push(`<pre>${escapeHtml(code.join('\n'))}</pre>`);
  return html.join('\n');
}

const inline = /\\(.)|`([^`]+)`|\[((?:\\.|[^\\\]])*)\]\(([^)\s]*)\)/g;

function inlineHtml(text: string, links: HtmlLinks): string {
  let html = '';
  let at = 0;
  for (const match of text.matchAll(inline)) {
    html += escapeHtml(text.slice(at, match.index));
    at = match.index + match[0].length;
    const [, escaped, code, label, target] = match;
    if (escaped !== undefined) html += escapeHtml(escaped);
    else if (code !== undefined) html += `<code>${escapeHtml(code)}</code>`;
    else html += linkHtml(label ?? '', target ?? '', links);
  }
  return html + escapeHtml(text.slice(at));
}

function linkHtml(label: string, target: string, links: HtmlLinks): string {
  const text = label.replace(/\\(.)/g, '$1');
  const anchor = links.anchor(target);
  if (anchor !== undefined) return `<a href="#${escapeHtml(anchor)}">${escapeHtml(text)}</a>`;
  const source = links.source(target);
  if (source === undefined) return escapeHtml(text);
  if (text === source) return `<span class="source">${escapeHtml(text)}</span>`;
  if (/^line \d+$/.test(text)) return `<span class="source" title="${escapeHtml(source)}">${escapeHtml(text)}</span>`;
  return `${escapeHtml(text)} <span class="source">${escapeHtml(source)}</span>`;
}
