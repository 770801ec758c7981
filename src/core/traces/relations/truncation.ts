import type { Truncation } from './model';

const AMOUNT =
  /(\d[\d,]*)\s*(?:more\s+)?(characters?|chars?|lines?|tokens?|bytes?|kb|mb|items?|results?|messages?|entries|rows)/i;

/** Words that harnesses put where they cut; the source of each form is a published harness. */
const MARKS: readonly RegExp[] = [
  /<(?:response|output|file|content)[\w -]{0,20}\b(?:clipped|truncated|elided|omitted)[^>]{0,200}>/i,
  /[[(<{*][^\])>}\n]{0,160}\b(?:truncated|omitted|elided|clipped|cut off|left out|cleared)\b[^\])>}\n]{0,160}[\])>}*]/i,
  /<elided_chars>[\s\S]{0,80}?<\/elided_chars>/i,
  /\bOld (?:environment output|tool result content)[^\n]{0,80}/i,
  /^[ \t]*(?:\.{3}|…)[ \t]*\d[\d,]*[^\n]{0,60}\b(?:more|omitted|truncated|skipped)\b[^\n]{0,40}/im,
  /\b(?:output|result|response|content|observation|message|file|context|text)s? (?:was|were|is|has been|have been|too long and was) (?:truncated|cut off|cut|clipped|shortened|elided)[^\n]{0,120}/i,
  /\b(?:output|response|content|result) (?:is )?too (?:large|long)[^\n]{0,160}/i,
  /^[ \t]*(?:\.{3}|…)?[ \t]*\[?(?:truncated|output truncated)\]?[ \t]*(?:\.{3}|…)?[^\n]{0,80}$/im,
];

/** One word of every mark; most texts hold none of them. */
const HINT = /truncat|omitted|elided|clipped|cut|left out|cleared|Old |more|skipped|shortened|too (?:large|long)/i;

const EDGE = 6_000;
const MOST = 4;

/**
 * Marks of truncation by the harness in a result or a message. Start, end and a part around the middle of long texts are
 * looked at: harnesses cut there. A tool that prints the word in its own output may be taken for one.
 */
export function truncationsIn(text: string): Truncation[] {
  const found = new Map<string, Truncation>();
  for (const part of partsOf(text)) {
    if (!HINT.test(part)) continue;
    for (const mark of MARKS) {
      const match = mark.exec(part)?.[0].replace(/\s+/g, ' ').trim();
      if (match === undefined || [...found.keys()].some((known) => known.includes(match) || match.includes(known)))
        continue;
      found.set(match, { mark: match.slice(0, 160), missing: amountIn(match) });
      if (found.size >= MOST) return [...found.values()];
    }
  }
  return [...found.values()];
}

function partsOf(text: string): string[] {
  if (text.length <= EDGE * 3) return [text];
  const middle = text.length / 2;
  return [text.slice(0, EDGE), text.slice(middle - EDGE / 2, middle + EDGE / 2), text.slice(-EDGE)];
}

function amountIn(mark: string): Truncation['missing'] {
  const amount = AMOUNT.exec(mark);
  if (amount === null) return null;
  const count = Number(amount[1].replaceAll(',', ''));
  return Number.isSafeInteger(count) ? { count, unit: amount[2].toLowerCase().replace(/s$/, '') } : null;
}
