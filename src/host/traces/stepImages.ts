import type { StepImage } from '../../../webview/shared/traceProtocol';

/** Larger images are named, not shown: they would stall the channel to the page. */
const largestImage = 2 * 1024 * 1024;
/** Images of one step that are shown. */
const mostImages = 20;
/** Values that are looked at in one step; records may be whole conversations. */
const mostValues = 200_000;

/** First bytes of the kinds that are shown. No SVG: it is a document with scripts and links. */
const signatures: readonly (readonly [type: string, bytes: readonly number[]])[] = [
  ['image/png', [0x89, 0x50, 0x4e, 0x47]],
  ['image/jpeg', [0xff, 0xd8, 0xff]],
  ['image/gif', [0x47, 0x49, 0x46, 0x38]],
  ['image/webp', [0x52, 0x49, 0x46, 0x46]],
];

const dataAddress = /^data:(image\/[\w.+-]+);base64,/;
/** Fields that hold base64 text beside the type of the image, in the formats of the large providers. */
const typeFields = ['media_type', 'mimeType', 'mime_type', 'mediaType'];

/**
 * Images inside the records of a step: `data:` addresses, and base64 text with its type beside it. What they are is told
 * by their first bytes, never by what they claim. Nothing is fetched.
 */
export function imagesOf(records: string): StepImage[] {
  const images: StepImage[] = [];
  const take = (base64: string) => {
    const image = imageOf(base64);
    if (image && images.length < mostImages) images.push(image);
  };
  // Records nest as deep as whoever wrote them liked, deeper than calls may.
  const waiting = jsonValues(records).reverse();
  for (let seen = 0; waiting.length > 0 && seen < mostValues; seen++) {
    const value = waiting.pop();
    if (typeof value === 'string') {
      const match = dataAddress.exec(value.slice(0, 64));
      if (match) take(value.slice(match[0].length));
    } else if (Array.isArray(value)) later(waiting, value);
    else if (value && typeof value === 'object') {
      const fields = value as Record<string, unknown>;
      const typed = typeFields.some((name) => typeof fields[name] === 'string' && /^image\//.test(fields[name]));
      if (typed && typeof fields.data === 'string' && !dataAddress.test(fields.data.slice(0, 64))) take(fields.data);
      later(waiting, Object.values(fields));
    }
  }
  return images;
}

/** The first of the values is looked at next. */
function later(waiting: unknown[], values: readonly unknown[]): void {
  for (let at = Math.min(values.length, mostValues) - 1; at >= 0; at--) waiting.push(values[at]);
}

function imageOf(base64: string): StepImage | null {
  const bytes = Math.floor((base64.length * 3) / 4);
  const head = Buffer.from(base64.slice(0, 16), 'base64');
  const type = signatures.find(([, signature]) => signature.every((byte, at) => head[at] === byte))?.[0];
  if (!type || !/^[\w+/=\s-]*$/.test(base64)) return null;
  return { type, bytes, data: bytes > largestImage ? null : base64.replace(/\s+/g, '') };
}

/** The records, one a line or one in all; text that is no JSON holds no image. */
function jsonValues(text: string): unknown[] {
  if (!/image/.test(text)) return [];
  const whole = parsed(text);
  return whole === undefined ? text.split('\n').map(parsed) : [whole];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
