/** All of ASCII punctuation: each of them can be part of Markdown, HTML or of an address that becomes a link. */
const special = /[!-/:-@[-`{-~]/g;

/**
 * Markdown that shows `text` as it is: no links, HTML, code or headings. Every line becomes a paragraph. Spaces stay
 * ordinary ones, so that long lines wrap. A backslash before punctuation is an escape by CommonMark, section 2.4.
 */
export function plainMarkdown(text: string): string {
  return text
    .split(/[\r\n\u2028\u2029]+/)
    .map((line) => line.replace(/\s+/g, ' ').trim().replace(special, '\\$&'))
    .filter(Boolean)
    .join('\n\n');
}
