/** What a character is inside a value; 0 ends one. */
const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;
const SEPARATOR = 4;
const INSIDE = 5;

const CLASSES = new Uint8Array(128);
for (let code = 0x61; code <= 0x7a; code += 1) CLASSES[code] = LOWER;
for (let code = 0x41; code <= 0x5a; code += 1) CLASSES[code] = UPPER;
for (let code = 0x30; code <= 0x39; code += 1) CLASSES[code] = DIGIT;
for (const one of '_/.@') CLASSES[one.charCodeAt(0)] = SEPARATOR;
for (const one of ':+%#-$~') CLASSES[one.charCodeAt(0)] = INSIDE;

const COLON = 0x3a;
const DOT = 0x2e;
const SLASH = 0x2f;
const AT = 0x40;
/** Punctuation that may follow a value in a sentence: . : # + % @ - */
const TRAILING = new Set([DOT, COLON, 0x23, 0x2b, 0x25, AT, 0x2d]);

function classOf(code: number): number {
  if (code < 128) return CLASSES[code];
  // Letters of other scripts; general and CJK punctuation ends a value.
  return code < 0xc0 || (code >= 0x2000 && code <= 0x206f) || (code >= 0x3000 && code <= 0x303f) ? 0 : LOWER;
}

/**
 * Calls `visit` with the start and end of each value in a text that may say where something comes from. Hand-written, because
 * a run holds a hundred megabytes of text and pieces need not be cut out of it. `src/a.py:12` is visited as a whole and
 * as `src/a.py`, and `./src/a.py` is the same file. Ends when `visit` returns true.
 *
 * Rarity, first half: a value tells something when no one would write it by chance. Names with a separator, a digit or a
 * capital inside do from five characters on, numbers from four digits on, plain words only when they are long.
 */
export function scanValues(text: string, longest: number, visit: (start: number, end: number) => boolean | undefined) {
  for (let at = 0; at < text.length; at += 1) {
    if (classOf(text.charCodeAt(at)) === 0) continue;
    let start = at;
    while (at < text.length && classOf(text.charCodeAt(at)) !== 0) at += 1;
    let end = at;
    if (end - start < 4) continue;
    while (end > start && TRAILING.has(text.charCodeAt(end - 1))) end -= 1;
    while (text.charCodeAt(start) === DOT && text.charCodeAt(start + 1) === SLASH) start += 2;
    while (start < end && leads(text.charCodeAt(start))) start += 1;
    end = Math.min(end, start + longest);
    if (!tells(text, start, end)) continue;
    if (visit(start, end) === true) return;
    const path = withoutLine(text, start, end);
    if (path < end && tells(text, start, path) && visit(start, path) === true) return;
  }
}

function leads(code: number): boolean {
  return code === AT || (code < 128 && CLASSES[code] === INSIDE && code !== 0x7e && code !== 0x24);
}

/** The end of a path without `:12` or `:12:5` behind it. */
function withoutLine(text: string, start: number, end: number): number {
  let path = end;
  for (let times = 0; times < 2; times += 1) {
    let digits = path;
    while (digits > start && CLASSES[text.charCodeAt(digits - 1)] === DIGIT) digits -= 1;
    if (digits === path || digits - 1 <= start || text.charCodeAt(digits - 1) !== COLON) break;
    path = digits - 1;
  }
  return path;
}

function tells(text: string, start: number, end: number): boolean {
  let [digits, others, separators, pairs, camel] = [0, 0, 0, 0, 0];
  let before = 0;
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at);
    const kind = classOf(code);
    if (kind === DIGIT) digits += 1;
    else if (code !== DOT && code !== COLON) others += 1;
    if (kind === SEPARATOR || code === COLON) separators += 1;
    else if (kind !== INSIDE && before !== 0 && before !== SEPARATOR && before !== INSIDE) {
      pairs += 1;
      if (before === LOWER && kind === UPPER) camel += 1;
    }
    before = kind;
  }
  const length = end - start;
  if (others === 0) return digits >= 4 && !/^(1000|0+)$/.test(text.slice(start, end));
  if (length < 5 || (length <= 14 && COMMON.has(text.slice(start, end).toLowerCase()))) return false;
  return (separators > 0 && pairs > 0) || digits > 0 || camel > 0 || length >= 12;
}

/** What nearly every run holds. */
const COMMON = new Set(
  (
    '/dev/null dev/null /bin/bash /bin/sh /usr/bin/env usr/bin/env readme.md python3 python2 base64 sha256 utf-8 ' +
    '__init__ __init__.py __main__ __name__ localhost 127.0.0.1 0.0.0.0 http:// https://'
  ).split(' '),
);
