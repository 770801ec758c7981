/** `jinja`: only `{{ }}`, `{% %}`, `{# #}`; `prompt`: those and `{name}`, `${name}`, as prompt files use them. */
export type TemplateStyle = 'jinja' | 'prompt';

export interface TemplateToken {
  kind: 'text' | 'output' | 'statement' | 'comment';
  /** Source text of the token, delimiters included. */
  source: string;
  start: number;
  end: number;
  /** The expression or statement without delimiters; for text the text. */
  inner: string;
}

const closers: Record<string, { close: string; kind: TemplateToken['kind'] }> = {
  '{{': { close: '}}', kind: 'output' },
  '{%': { close: '%}', kind: 'statement' },
  '{#': { close: '#}', kind: 'comment' },
};
const namedPlaceholder = /\$?\{[A-Za-z_][\w.]*(?:\[[\w'"]+\])?\}/y;

/**
 * Cuts a template into text and tags. An unclosed tag is text, as Jinja would refuse the file and we only read it.
 * Quotes inside a tag are honoured, so `{{ "}}" }}` is one tag. Delimiters: Jinja 3 template designer documentation.
 */
export function tokenizeTemplate(text: string, style: TemplateStyle): TemplateToken[] {
  const tokens: TemplateToken[] = [];
  let textStart = 0;
  let at = 0;
  const flush = (end: number): void => {
    if (end > textStart) {
      const source = text.slice(textStart, end);
      tokens.push({ kind: 'text', source, start: textStart, end, inner: source });
    }
  };
  while (at < text.length) {
    const brace = text.indexOf('{', at);
    if (brace === -1) break;
    const tag = closers[text.slice(brace, brace + 2)];
    const end = tag ? closingOf(text, brace + 2, tag.close, tag.kind === 'comment') : -1;
    if (tag && end !== -1) {
      flush(brace);
      const source = text.slice(brace, end);
      const inner = source.slice(2, -2).replace(/^[-+]/, '').replace(/[-+]$/, '').trim();
      tokens.push({ kind: tag.kind, source, start: brace, end, inner });
      at = textStart = end;
      continue;
    }
    const start = text[brace - 1] === '$' && brace - 1 >= textStart ? brace - 1 : brace;
    namedPlaceholder.lastIndex = start;
    const named = style === 'prompt' ? namedPlaceholder.exec(text) : null;
    if (named) {
      flush(start);
      const inner = named[0].replace(/^\$?\{/, '').slice(0, -1);
      at = textStart = start + named[0].length;
      tokens.push({ kind: 'output', source: named[0], start, end: at, inner });
    } else {
      at = brace + 1;
    }
  }
  flush(text.length);
  return tokens;
}

/** Offset after the closing delimiter, or -1. */
function closingOf(text: string, from: number, close: string, isComment: boolean): number {
  let quote = '';
  for (let at = from; at < text.length; at++) {
    const char = text[at] as string;
    if (quote !== '') {
      if (char === '\\') at++;
      else if (char === quote) quote = '';
    } else if (text.startsWith(close, at)) {
      return at + close.length;
    } else if (!isComment && (char === '"' || char === "'")) {
      quote = char;
    } else if (!isComment && close === '}}' && char === '\n' && text.startsWith('\n\n', at)) {
      // A blank line inside an output tag means the braces are prose, such as JSON shown to the model.
      return -1;
    }
  }
  return -1;
}

/**
 * The constant parts of a template; `null` stands for a placeholder or a tag that decides what is shown.
 * Never two `null` in a row; comments vanish; `-` in a tag removes the white space beside it.
 */
export function templateParts(text: string, style: TemplateStyle): (string | null)[] {
  const parts: (string | null)[] = [];
  let trimNext = false;
  for (const token of tokenizeTemplate(text, style)) {
    if (token.kind === 'text') {
      const part = trimNext ? token.source.trimStart() : token.source;
      trimNext = false;
      if (part === '') continue;
      const last = parts.length - 1;
      if (typeof parts[last] === 'string') parts[last] += part;
      else parts.push(part);
      continue;
    }
    const isTag = token.source.startsWith('{{') || token.source.startsWith('{%') || token.source.startsWith('{#');
    if (isTag && token.source[2] === '-') trimLast(parts);
    trimNext = isTag && token.source.at(-3) === '-';
    if (token.kind !== 'comment' && parts.at(-1) !== null) parts.push(null);
  }
  return parts;
}

function trimLast(parts: (string | null)[]): void {
  const last = parts.at(-1);
  if (typeof last !== 'string') return;
  const trimmed = last.trimEnd();
  if (trimmed === '') parts.pop();
  else parts[parts.length - 1] = trimmed;
}

/** Names a template needs, in order of first use: the first identifier of each `{{ }}` or `{name}`. */
export function templateNames(text: string, style: TemplateStyle): string[] {
  const names = new Set<string>();
  for (const token of tokenizeTemplate(text, style)) {
    if (token.kind !== 'output') continue;
    const name = /^[A-Za-z_][\w.]*/.exec(token.inner)?.[0];
    if (name) names.add(name);
  }
  return [...names];
}
