/**
 * Field by field access to records written by other programs. Writers add and rename fields every month, so a
 * record is never rejected as a whole: what is readable is read, the rest stays visible in the raw record.
 */
export type Fields = Readonly<Record<string, unknown>>;

const NONE: Fields = {};

/** True for JSON objects (not arrays, not null). */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value as an object, or an empty one. */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : NONE;
}

/** The value as a list, or an empty one. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A non-empty string, or null. Writers that redact leave `<redacted>`, which is no value either. */
export function stringOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' && value !== '<redacted>' ? value : null;
}

/** A finite number, or null. */
export function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** ISO 8601 text for seconds since 1970, or null when the number is no plausible time. */
export function isoOfSeconds(value: unknown): string | null {
  const seconds = numberOf(value);
  if (seconds === null || seconds < 1e8 || seconds > 1e11) return null;
  return new Date(Math.round(seconds * 1000)).toISOString();
}

/** True when the text is a date that can be compared with others. */
export function isTime(value: unknown): value is string {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value) && !Number.isNaN(Date.parse(value));
}

/**
 * The readable text of a message content: a string, or a list of text and image blocks. Images become a short
 * note with their media type and path, because their bytes are of no use in a list of steps.
 */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (content === null || content === undefined) return '';
  if (!Array.isArray(content)) return isFields(content) ? blockText(content) : String(content);
  return content
    .map((block) => (typeof block === 'string' ? block : blockText(fieldsOf(block))))
    .filter((text) => text !== '')
    .join('\n');
}

function blockText(block: Fields): string {
  if (typeof block.text === 'string') return block.text;
  const type = stringOf(block.type) ?? '';
  if (type.includes('image')) {
    const source = fieldsOf(block.source);
    const what = stringOf(source.media_type) ?? 'unknown type';
    const where = stringOf(source.path);
    return where === null ? `[image, ${what}]` : `[image, ${what}, ${where}]`;
  }
  return block.content === undefined ? '' : contentText(block.content);
}

/** Arguments of a tool call: parsed when they are JSON in a string, as the chat protocols write them. */
export function argumentsOf(value: unknown): unknown {
  if (typeof value !== 'string') return value ?? {};
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
