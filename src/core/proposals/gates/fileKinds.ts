/** Pages for people; they may grow, and no model reads them. */
const forPeople =
  /(^|\/)(?:readme|changelog|contributing|license|licence|security|code_of_conduct)[^/]*$|(^|\/)docs?\//i;

/** True for files whose text a model is given. */
export function isPrompt(file: string): boolean {
  if (/(^|\/)(?:prompts?|templates?|skills?|instructions)\//i.test(file)) return isText(file);
  return isText(file) && !forPeople.test(file);
}

function isText(file: string): boolean {
  return /\.(?:md|mdx|txt|prompt|j2|jinja2?|hbs|mustache|tmpl)$/i.test(file);
}

/** True for code of tests, which is declared apart. */
export function isTest(file: string): boolean {
  return /(^|\/)(?:tests?|__tests__|spec)\/|(?:[._-](?:test|spec)|_test)\.\w+$|(^|\/)test_[^/]+\.py$/i.test(file);
}

/** True for files that only hold settings. */
export function isConfiguration(file: string): boolean {
  return /\.(?:json|jsonc|ya?ml|toml|ini|cfg|conf|env)$/i.test(file) || /(^|\/)\.env[^/]*$/.test(file);
}

/** What a file is, in the words of declarations. */
export function kindOfFile(file: string): 'test' | 'prompt' | 'configuration' | 'code' {
  if (isTest(file)) return 'test';
  if (isPrompt(file)) return 'prompt';
  return isConfiguration(file) ? 'configuration' : 'code';
}
