/** Recorded runs and settings of tests look like those of the harness. */
const testData = /(^|\/)(tests?|__tests__|test[_-]?data)\//i;

/** What a path alone says about a text file. */
export type ArtifactKind = 'prompt' | 'candidate' | 'yaml' | 'json' | 'toml' | 'none';

const promptFolder = /(^|\/)(prompts?|templates?|instructions?|personas?|skills?|agents|commands|playbooks?|rules)\//i;
const promptName =
  /(^|[._-])(prompts?|system|instructions?|templates?|persona|skill|agents?|claude|reminder|tool[_-]?desc\w*)([._-]|$)/i;
const documentation =
  /(^|\/)(docs?|documentation|licen[cs]es?|examples?|notes|\.github|node_modules|site-packages)\/|\.dist-info\/|(^|\/)(readme|change(log|s)|history|licen[cs]e|copying|contributing|code_of_conduct|security|authors|notice|todo|roadmap|release|top_level|entry_points|requirements|robots|cmakelists)[^/]*$/i;
const notConfiguration =
  /(^|\/)(package(-lock)?|npm-shrinkwrap|tsconfig[^/]*|jsconfig|biome|composer|deno|lerna|nx|turbo|renovate|manifest)\.jsonc?$|(^|\/)(pnpm-lock|pnpm-workspace|mkdocs|docker-compose[^/]*|compose|dependabot|\.[^/]*)\.ya?ml$|(^|\/)(cargo|pyproject|poetry|uv|ruff|pipfile)\.(toml|lock)$|\.lock$|(^|\/)\.(github|gitlab|vscode|idea|circleci|changeset)\/|(^|\/)(__snapshots__|fixtures|locales?|i18n|node_modules)\//i;

/**
 * Sorts a file by its path. Read-me files, change logs, licences and documentation are `candidate`: they count as a
 * prompt only when code loads them, because most repositories keep such files for people.
 */
export function recognize(path: string): ArtifactKind {
  if (testData.test(path)) return 'none';
  const ending = /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '';
  const name = path.slice(path.lastIndexOf('/') + 1);
  switch (ending) {
    case 'j2':
    case 'jinja':
    case 'jinja2':
    case 'prompt':
    case 'hbs':
    case 'mustache':
    case 'liquid':
    case 'tpl':
    case 'tmpl':
    case 'gotmpl':
      return 'prompt';
    case 'md':
    case 'mdx':
    case 'txt':
    case 'xml':
      if (documentation.test(path)) return 'candidate';
      return promptFolder.test(path) || promptName.test(name.slice(0, -ending.length - 1)) ? 'prompt' : 'candidate';
    case 'yaml':
    case 'yml':
      return notConfiguration.test(path) ? 'none' : 'yaml';
    case 'json':
    case 'jsonc':
      return notConfiguration.test(path) ? 'none' : 'json';
    case 'toml':
      return notConfiguration.test(path) ? 'none' : 'toml';
    default:
      return 'none';
  }
}

const configurationName =
  /(^|[._-])(config(s|uration)?|settings?|agents?|harness|defaults?|models?|presets?|profiles?|tools?|prompts?)([._-]|$)/i;
const configurationFolder = /(^|\/)(configs?|configuration|settings|agents?|presets|profiles|tools)\/[^/]+$/i;
const configurationKeys =
  /^(agents?|models?|prompts?|tools?|\w*(template|prompt|instruction)s?|\w*limit|max_?\w+|temperature|environment|harness|llm|provider|system)$/i;

/** Whether a structured file configures an agent, by its path or by keys in its first two levels. */
export function isAgentConfiguration(path: string, keys: readonly string[]): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return (
    configurationName.test(name) || configurationFolder.test(path) || keys.some((key) => configurationKeys.test(key))
  );
}

const promptKey =
  /(prompt|template|instruction|system|message|reminder|persona|guideline|preamble|format_?error|observation|demonstration|docstring)/i;
const scriptKey = /^(run|script|command|cmd|query|sql|shell|before_script|entrypoint|install|setup)$/i;

/** Whether a string of a structured file is text for a model: its key says so, or it is long prose. */
export function isPromptText(path: readonly string[], text: string): boolean {
  const named = [...path].reverse().find((part) => !part.startsWith('[')) ?? '';
  const hasWords = /\S\s+\S+\s+\S/.test(text);
  if (!hasWords || scriptKey.test(named)) return false;
  if (promptKey.test(named)) return text.length >= 20;
  const lines = text.trim().split('\n').length;
  return lines >= 3 && text.length >= 200 && /[a-z]{3,}[.:?]\s/.test(text);
}
