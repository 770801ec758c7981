import { addedLines, type Gate, type GateProblem } from './gate';

const patterns: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----/, 'a private key'],
  [/\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/, 'an AWS access key'],
  [/\bgh[pousr]_[A-Za-z0-9]{36,}\b|\bgithub_pat_\w{40,}\b/, 'a GitHub token'],
  [/\bsk-(?:ant-|proj-)?[A-Za-z0-9_-]{20,}\b/, 'a model provider key'],
  [/\bxox[abprs]-[A-Za-z0-9-]{10,}\b/, 'a Slack token'],
  [/\bhf_[A-Za-z0-9]{30,}\b/, 'a Hugging Face token'],
  [/\bnpm_[A-Za-z0-9]{36}\b/, 'an npm token'],
  [/\bglpat-[\w-]{20,}\b/, 'a GitLab token'],
  [/hooks\.slack\.com\/services\/T\w+\/B\w+\/\w{16,}/, 'a Slack hook'],
  [/\bBearer\s+[\w.~+/-]{24,}=*(?![\w}])/, 'a bearer token'],
  [/\bAIza[0-9A-Za-z_-]{35}\b/, 'a Google key'],
  [/\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}\b/, 'a signed token'],
  [/:\/\/[^\s/:@]{1,80}:[^\s/@]{6,80}@/, 'a password in an address'],
];

const named = /(?:api[_-]?key|secret|token|passw(?:or)?d)["']?\s*[:=]\s*["']([\w+/=.-]{16,})["']/i;

/** No added line holds something that looks like a key or a password. The text itself is not repeated. */
export const secrets: Gate = {
  id: 'secrets',
  check(context) {
    const problems: GateProblem[] = [];
    for (const { file, line, text } of addedLines(context)) {
      const found = patterns.find(([pattern]) => pattern.test(text))?.[1] ?? namedSecret(text);
      if (found) problems.push({ file, line, message: `the line looks as if it held ${found}` });
    }
    return problems;
  },
};

/** A long random-looking value beside a telling name; placeholders and words are not meant. */
function namedSecret(text: string): string | undefined {
  const value = named.exec(text)?.[1];
  if (!value || !/\d/.test(value) || !/[a-zA-Z]/.test(value)) return undefined;
  return new Set(value).size >= 10 ? 'a secret value' : undefined;
}
