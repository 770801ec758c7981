/** At most `limit` characters, cut with an ellipsis, white space made plain. */
export function shorten(text: string, limit: number): string {
  const plain = text
    .slice(0, limit * 4)
    .replace(/\s+/g, ' ')
    .trim();
  return plain.length <= limit ? plain : `${plain.slice(0, limit - 1)}…`;
}
