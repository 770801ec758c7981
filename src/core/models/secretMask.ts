/** What keys of well-known services look like, and values beside telling names. */
const patterns: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g,
  /\bgh[pousr]_[A-Za-z0-9]{20,}\b|\bgithub_pat_\w{20,}\b/g,
  /\bsk-(?:ant-|proj-|or-)?[A-Za-z0-9_-]{16,}/g,
  /\bxox[abprs]-[A-Za-z0-9-]{10,}/g,
  /\bhf_[A-Za-z0-9]{20,}\b/g,
  /\bnpm_[A-Za-z0-9]{30,}\b/g,
  /\bglpat-[\w-]{16,}/g,
  /\bAIza[0-9A-Za-z_-]{30,}/g,
  /\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}/g,
];

/** Here only the value is taken out, so that the text around it still says what it is. */
const valuePatterns: readonly RegExp[] = [
  /(\bBearer\s+)[\w.~+/-]{16,}=*(?![\w}])/g,
  /(:\/\/[^\s/:@]{1,80}:)[^\s/@]{4,80}(?=@)/g,
  /((?:api[_-]?key|secret|token|passw(?:or)?d)["']?\s*[:=]\s*["'])(?=[\w+/=.-]*\d)(?=[\w+/=.-]*[a-zA-Z])[\w+/=.-]{16,}(?=["'])/gi,
  /(\b[A-Z][A-Z0-9_]*(?:KEY|TOKEN|SECRET|PASSWORD)\s*=\s*)(?=\S*\d)[^\s"'$<{][^\s"']{15,}/g,
];

export interface MaskedText {
  text: string;
  /** How many values were taken out. */
  masked: number;
}

export const mask = '(masked)';

/**
 * A text without what looks like a key or a password: what goes to a model or into a log. Length and the other
 * characters of a line stay, so text that is shown can still be found again by its other lines.
 */
export function maskSecrets(text: string): MaskedText {
  let masked = 0;
  let out = text;
  for (const pattern of patterns) {
    out = out.replace(pattern, () => {
      masked++;
      return mask;
    });
  }
  for (const pattern of valuePatterns) {
    out = out.replace(pattern, (_, before: string) => {
      masked++;
      return `${before}${mask}`;
    });
  }
  return { text: out, masked };
}
