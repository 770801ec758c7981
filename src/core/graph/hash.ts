import { createHash } from 'node:crypto';

/** First 16 hexadecimal digits of the SHA-256 of a text in UTF-8. */
export function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
