import type { Gate, GateProblem } from './gate';

/** No file has more syntax errors than before. */
export const parses: Gate = {
  id: 'parses',
  async check({ proposedTexts, baseTexts, syntaxErrors }) {
    if (!syntaxErrors) return null;
    const problems: GateProblem[] = [];
    for (const [file, text] of proposedTexts) {
      if (text === null) continue;
      const errors = await syntaxErrors(file, text);
      if (errors.length === 0) continue;
      const base = baseTexts.get(file) ?? null;
      const before = base === null ? [] : await syntaxErrors(file, base);
      if (errors.length <= before.length) continue;
      problems.push(...errors.slice(0, 5).map(({ line, message }) => ({ file, line, message })));
    }
    return problems;
  },
};
