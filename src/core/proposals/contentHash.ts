import { createHash } from 'node:crypto';

/** First 16 hex digits of the SHA-256 of a text in UTF-8; the form of hashes in a proposal's base. */
export function contentHash(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex').slice(0, 16);
}
