import type { Sources } from './derive/sources';
import type { Failure, Site } from './model';

/** What raises or handles an error, by the usual forms of Python, TypeScript, Go and Rust; group 1 names the error. */
const forms: [Failure['does'], RegExp][] = [
  ['raises', /^\s*raise\s+([A-Za-z_][\w.]*)/],
  ['raises', /\bthrow\s+(?:new\s+)?([A-Za-z_$][\w$.]*)/],
  ['raises', /\bpanic!?\s*\(/],
  ['raises', /\b(?:bail|anyhow)!\s*\(/],
  ['raises', /\breturn\s+Err\s*\(\s*([A-Za-z_][\w:]*)?/],
  ['handles', /^\s*except\s*\*?\s*\(?\s*([A-Za-z_][\w.]*(?:\s*,\s*[A-Za-z_][\w.]*)*)?/],
  ['handles', /\bcatch\s*(?:\(\s*([A-Za-z_$][\w$]*)|\{)/],
  ['handles', /\.catch\s*\(/],
  ['handles', /\bif\s+err\s*!=\s*nil\b/],
  ['handles', /\bErr\s*\(\s*([A-Za-z_]\w*)\s*\)\s*=>/],
  ['handles', /\.(?:unwrap_or|unwrap_or_else|unwrap_or_default|or_else)\s*\(/],
];
const comment = /^\s*(?:#|\/\/|\*)/;
const mostOfOneUnit = 24;

/** Where a unit raises errors and where it catches them or takes another way, in source order. */
export function failuresOf(sites: readonly Site[], sources: Sources): Failure[] {
  const failures: Failure[] = [];
  for (const { file, start, end } of sites) {
    if (!/\.(?:py|[cm]?[jt]sx?|go|rs)$/.test(file)) continue;
    const lines = sources.lines(file);
    for (let line = start; line <= end && failures.length < mostOfOneUnit; line++) {
      const text = lines[line - 1] ?? '';
      if (comment.test(text)) continue;
      const found = forms.map(([does, form]) => ({ does, match: form.exec(text) })).find(({ match }) => match);
      if (!found?.match) continue;
      const name = found.match[1]?.replace(/\s+/g, ' ');
      failures.push({ does: found.does, ...(name ? { name } : {}), file, line });
    }
  }
  return failures;
}
