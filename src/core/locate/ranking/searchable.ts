/**
 * Which files a request can be about: source outside tests, and text that steers the agent (prompts, templates, agent
 * configuration). Documentation for people, generated code and packaging are left out: they change with the source,
 * and their prose would outrank it.
 */
const codeEnding = /\.(py|[cm]?tsx?|[cm]?jsx?|go|rs|sh)$/i;
const textEnding = /\.(j2|jinja2?|prompt|hbs|mustache|liquid|tpl|gotmpl|md|txt|ya?ml|toml|proto|sb)$/i;

const testFolder =
  /(^|\/)(tests?|__tests__|__mocks__|test[-_]?(data|utils|helpers)|testing|fixtures?|__fixtures__|mocks?|e2e|integration[-_]tests?|__snapshots__|playwright|\.?storybook|regression)\//i;
const evaluationFolder = /^(evals?|evaluation|benchmarks?)\//i;
const testName =
  /\.(test|spec|stories|bench|e2e|test-d)\.[cm]?[jt]sx?$|(^|\/)test_[^/]*\.(py|sh)$|_(tests?|spec)\.(py|go|rs)$|(^|\/)(conftest|tests?)\.(py|rs|ts|js)$|(^|\/)(test[-_]?(setup|utils?)|setupTests|vitest[^/]*|jest[^/]*|test-[^/]+)\.([cm]?[jt]sx?|py|sh|rs)$/i;
const otherFolder =
  /(^|\/)(node_modules|dist|build|out|vendor|third_party|docs?|documentation|examples?|website|i18n|locales?|generated|__generated__|assets|plans|design|coverage|static|public|migrations?|walkthrough|__pycache__)\//i;
/** `.github`, `.vscode` and the like; agent folders such as `.agents` describe work on the harness, not the harness. */
const hiddenFolder = /(^|\/)\.[^/]+\//;
const generatedName =
  /\.(d\.ts|min\.js|generated\.[jt]s|gen\.go|pb\.go|sql\.go|pb\.[jt]s|bundle\.js)$|_pb2(_grpc)?\.py$|(^|\/)(git-commit|_?version)\.(ts|py)$/i;
const forPeople =
  /(^|\/)(change(log|s)|readme|contributing|agents|claude|gemini|licen[cs]e|notices?|security|authors|code_of_conduct|roadmap|copying)[^/]*\.(md|mdx|txt|rst)$|(^|\/)(todo|history)\.(md|txt)$/i;
const packaging =
  /(^|\/)(pyproject|cargo|uv|poetry|ruff|pipfile|rust-toolchain|clippy|rustfmt|deny|typos)\.(toml|lock)$|(^|\/)(requirements|constraints|top_level|robots|cmakelists)[^/]*\.txt$|(^|\/)(mkdocs|docker-compose[^/]*|compose|pnpm-[^/]*|_quarto|taskfile|codecov|environment|\.[^/]*)\.ya?ml$/i;

/** Text at the top of a repository is packaging and prose, unless its name says that it configures an agent. */
const agentText = /(prompt|template|agent|config|default|instruction|system|forge|harness|settings)/i;
/** Folders whose Markdown and plain text is read by a model; elsewhere they are notes. */
const sourceFolder =
  /(^|\/)(src|lib|internal|pkg|cmd|core|app|cli|crates|packages|templates?|prompts?|skills|microagents|tools|config|commands|agents?|agenthub|[a-z_]*agent[a-z_]*|proto)\//i;

/** Longer files are data or generated. */
export const maximumSearchableBytes = 400_000;

export type SearchableKind = 'code' | 'text';

/** What a path is for a request, or undefined when no request is about it. */
export function searchableKind(path: string): SearchableKind | undefined {
  if (
    testFolder.test(path) ||
    evaluationFolder.test(path) ||
    testName.test(path) ||
    otherFolder.test(path) ||
    hiddenFolder.test(path) ||
    generatedName.test(path)
  )
    return undefined;
  if (codeEnding.test(path)) return 'code';
  if (isCommandWithoutEnding(path)) return 'code';
  if (!textEnding.test(path) || forPeople.test(path) || packaging.test(path)) return undefined;
  if (!path.includes('/')) return agentText.test(path) ? 'text' : undefined;
  return sourceFolder.test(path) ? 'text' : undefined;
}

/** `tools/search/bin/find_file`: commands that a harness gives to its agent often have no ending. */
function isCommandWithoutEnding(path: string): boolean {
  return /(^|\/)(bin|commands)\/[A-Za-z_][\w-]*$|^tools\/[^/]+\/lib\/[A-Za-z_][\w-]*$/.test(path);
}
