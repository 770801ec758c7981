import MarkdownIt, { type Token } from 'markdown-it';

/** A piece of rendered Markdown: a text, or one of a few harmless elements with what is in it. */
export type MarkdownNode = string | { tag: MarkdownTag; children: MarkdownNode[]; start?: number };

/** The elements that may be drawn. None of them loads, links or runs anything. */
const tags = [
  'p',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'ul',
  'ol',
  'li',
  'blockquote',
  'pre',
  'code',
  'em',
  'strong',
  's',
  'table',
  'thead',
  'tbody',
  'tr',
  'th',
  'td',
  'hr',
  'br',
] as const;
export type MarkdownTag = (typeof tags)[number];

const allowed: ReadonlySet<string> = new Set(tags);

const parser = new MarkdownIt({ html: false, linkify: false, typographer: false, breaks: true });
// Addresses are shown as text, so none needs to be refused; a refused one would hide where it leads.
parser.validateLink = () => true;
// A definition would be taken out of the text, and nothing that was said may be hidden.
parser.disable('reference');

/** From this nesting on the parser drops what is inside; such a text is shown as it was written. */
const deepest = 90;

/**
 * The tree of a Markdown text of a trace. HTML in it stays text; links and images become their words with the address
 * behind them, as text: nothing that a model or a tool wrote can be clicked, loaded or run.
 */
export function markdownTree(text: string): MarkdownNode[] {
  const tokens = parser.parse(text, {});
  if (tokens.some((token) => token.level >= deepest)) return [{ tag: 'pre', children: [text] }];
  return treeOf(tokens);
}

function treeOf(tokens: readonly Token[]): MarkdownNode[] {
  const root: MarkdownNode[] = [];
  const open: MarkdownNode[][] = [root];
  const addresses: string[] = [];
  const put = (node: MarkdownNode) => open.at(-1)!.push(node);
  for (const token of tokens) {
    if (token.type === 'link_open') addresses.push(String(token.attrGet('href') ?? ''));
    else if (token.type === 'link_close') put(` <${addresses.pop() ?? ''}>`);
    else if (token.type === 'image') put(`[image: ${token.content}] <${token.attrGet('src') ?? ''}>`);
    else if (token.type === 'inline') for (const node of treeOf(token.children ?? [])) put(node);
    else if (token.type === 'softbreak' || token.type === 'hardbreak') put({ tag: 'br', children: [] });
    else if (token.nesting === -1) close(open);
    else if (token.hidden && token.nesting === 1) open.push(open.at(-1)!);
    else if (token.nesting === 1) {
      const start = Number(token.attrGet('start') ?? 1);
      const node = { tag: tagOf(token), children: [], ...(start === 1 ? {} : { start }) };
      put(node);
      open.push(node.children);
    } else put(leafOf(token));
  }
  return root;
}

/** An end without a beginning cannot come from the parser; the root stays open in any case. */
function close(open: MarkdownNode[][]): void {
  if (open.length > 1) open.pop();
}

function tagOf(token: Token): MarkdownTag {
  return allowed.has(token.tag) ? (token.tag as MarkdownTag) : 'p';
}

function leafOf(token: Token): MarkdownNode {
  if (token.type === 'fence' || token.type === 'code_block') {
    const info = token.info.trim();
    const language: MarkdownNode[] = info ? [{ tag: 'em', children: [info] }, '\n'] : [];
    return { tag: 'pre', children: [...language, token.content.replace(/\n$/, '')] };
  }
  if (token.type === 'code_inline') return { tag: 'code', children: [token.content] };
  if (token.type === 'hr') return { tag: 'hr', children: [] };
  return token.content;
}
