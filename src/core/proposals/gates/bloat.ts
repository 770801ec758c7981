import type { Gate } from './gate';

/** A prompt may grow by this much, in characters, before its share counts. */
const alwaysAllowed = 600;
const allowedShare = 0.25;
const neverAllowed = 4_000;

/** Prompts stay short: every character of them is paid for in each turn of each run. */
export const bloat: Gate = {
  id: 'bloat',
  check({ proposedTexts, baseTexts }) {
    return [...proposedTexts].flatMap(([file, text]) => {
      if (text === null || !isPrompt(file)) return [];
      const before = baseTexts.get(file)?.length ?? 0;
      const growth = text.length - before;
      const allowed = Math.min(Math.max(alwaysAllowed, before * allowedShare), neverAllowed);
      if (growth <= allowed) return [];
      const share = before === 0 ? '' : ` (${Math.round((growth / before) * 100)} %)`;
      return [{ file, message: `the prompt grows by ${growth} characters${share}` }];
    });
  },
};

function isPrompt(file: string): boolean {
  return (
    /\.(md|mdx|txt|prompt|j2|jinja2?|hbs|mustache|tmpl)$/i.test(file) || /(^|\/)(prompts?|templates?)\//i.test(file)
  );
}
