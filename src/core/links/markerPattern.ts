/** Words that programs wait for in text of a model: upper case with underscores, or set off by number signs. */
export const MARKER = /\b[A-Z][A-Z0-9]+(?:_[A-Z0-9]+){1,}\b|#{3,}[A-Z][A-Z_ ]+#{3,}/g;
