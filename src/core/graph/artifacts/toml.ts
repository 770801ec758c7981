import type { Entry, EntryValue } from './facts';

const header = /^\s*\[\[?\s*([^\]]+?)\s*\]\]?\s*(?:#.*)?$/;
const assignment = /^\s*((?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*=\s*(.*)$/;

/**
 * The keys of a TOML file with their lines, as a flat list of dotted paths. Reads what configuration files use: tables,
 * dotted keys, basic, literal and multi-line strings, numbers, booleans, lists. Dates and inline tables stay source text.
 * Grammar: TOML 1.0.0.
 */
export function tomlEntries(text: string): Entry[] {
  const lines = text.split(/\r?\n/);
  const entries: Entry[] = [];
  let table: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] as string;
    const isHeader = header.exec(line);
    if (isHeader) {
      table = keyParts(isHeader[1] as string);
      continue;
    }
    const found = assignment.exec(line);
    if (!found) continue;
    const start = at + 1;
    let source = (found[2] as string).trim();
    while (at + 1 < lines.length && isOpen(source)) source += `\n${lines[++at]}`;
    entries.push({
      path: [...table, ...keyParts(found[1] as string)],
      start,
      end: at + 1,
      valueStart: /^("""|''')\s*$/.test((found[2] as string).trim()) ? Math.min(start + 1, at + 1) : start,
      value: tomlValue(source),
    });
  }
  return entries;
}

function keyParts(key: string): string[] {
  return [...key.matchAll(/"([^"]*)"|'([^']*)'|([\w-]+)/g)].map((part) => part[1] ?? part[2] ?? (part[3] as string));
}

function isOpen(source: string): boolean {
  for (const quotes of ['"""', "'''"]) if (source.startsWith(quotes)) return source.indexOf(quotes, 3) === -1;
  if (!source.startsWith('[')) return false;
  const bare = source.replace(/"(?:\\.|[^"\\])*"|'[^']*'/g, '').replace(/#.*$/gm, '');
  return (bare.match(/\[/g)?.length ?? 0) > (bare.match(/\]/g)?.length ?? 0);
}

function tomlValue(source: string): EntryValue {
  const multi = /^("""|''')\n?([\s\S]*?)\1/.exec(source);
  if (multi) return { kind: 'scalar', value: multi[2] as string, source };
  const basic = /^"((?:\\.|[^"\\])*)"/.exec(source);
  if (basic) return { kind: 'scalar', value: unescaped(basic[1] as string), source: basic[0] };
  const literal = /^'([^']*)'/.exec(source);
  if (literal) return { kind: 'scalar', value: literal[1] as string, source: literal[0] };
  if (source.startsWith('[')) return { kind: 'list', entries: [], source };
  const bare = source.replace(/\s+#.*$/, '').trim();
  if (bare === 'true' || bare === 'false') return { kind: 'scalar', value: bare === 'true', source: bare };
  const number = Number(bare.replace(/_/g, ''));
  return { kind: 'scalar', value: bare !== '' && Number.isFinite(number) ? number : bare, source: bare };
}

function unescaped(text: string): string {
  const names: Record<string, string> = { n: '\n', t: '\t', r: '\r' };
  return text.replace(/\\(.)/g, (_, char: string) => names[char] ?? char);
}
