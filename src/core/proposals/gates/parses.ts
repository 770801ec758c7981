import { type ParseError, parse as parseJsonc, printParseErrorCode } from 'jsonc-parser';
import { parseDocument } from 'yaml';
import type { Gate, GateProblem } from './gate';

type SyntaxError = { line: number; message: string };

/** No file has more syntax errors than before. */
export const parses: Gate = {
  id: 'parses',
  async check({ proposedTexts, baseTexts, syntaxErrors }) {
    if (!syntaxErrors) return null;
    const errorsOf = async (file: string, text: string) => [
      ...(await syntaxErrors(file, text)),
      ...documentErrors(file, text),
    ];
    const problems: GateProblem[] = [];
    for (const [file, text] of proposedTexts) {
      if (text === null) continue;
      const errors = await errorsOf(file, text);
      if (errors.length === 0) continue;
      const base = baseTexts.get(file) ?? null;
      const before = base === null ? [] : await errorsOf(file, base);
      if (errors.length <= before.length) continue;
      problems.push(...errors.slice(0, 5).map(({ line, message }) => ({ file, line, message })));
    }
    return problems;
  },
};

/** Errors of configuration files, which no parser of a language reads. Comments in JSON are let through. */
function documentErrors(file: string, text: string): SyntaxError[] {
  if (/\.jsonc?$/i.test(file)) {
    const errors: ParseError[] = [];
    parseJsonc(text, errors, { allowTrailingComma: true });
    return errors.map(({ error, offset }) => ({ line: lineAt(text, offset), message: printParseErrorCode(error) }));
  }
  // Templates of YAML are no YAML before they are filled in.
  if (!/\.ya?ml$/i.test(file) || /\{\{|\{%/.test(text)) return [];
  const document = parseDocument(text, { logLevel: 'silent' });
  return document.errors.map(({ message, pos }) => ({ line: lineAt(text, pos[0]), message: message.split('\n')[0]! }));
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
