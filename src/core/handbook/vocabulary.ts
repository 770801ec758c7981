import { StageKind, type UnitKind } from './model';

export interface KindWords {
  title: string;
  stage: StageKind;
  /** Words people use for it, for search; the kind's own words are implied. */
  synonyms: string;
}

/** How each unit kind is named on pages, where it stands by default and what people call it. */
export const kindWords: Record<UnitKind, KindWords> = {
  entry: { title: 'Entry point', stage: 'configure', synonyms: 'start main cli command launch startup' },
  config_load: {
    title: 'Configuration loading',
    stage: 'configure',
    synonyms: 'settings options load read merge environment variables',
  },
  config_defaults: {
    title: 'Configuration defaults',
    stage: 'configure',
    synonyms: 'settings default values options keys',
  },
  main_loop: { title: 'Agent loop', stage: 'loop', synonyms: 'main loop iterate turn cycle run iteration rounds' },
  loop_step: { title: 'Loop step', stage: 'loop', synonyms: 'turn step iteration bookkeeping' },
  prompt_assembly: {
    title: 'Context assembly',
    stage: 'onset',
    synonyms: 'prompt build messages context render template conversation input history',
  },
  system_prompt: {
    title: 'Prompt text',
    stage: 'onset',
    synonyms: 'system prompt instructions template persona wording tell the model',
  },
  model_call: {
    title: 'Model call',
    stage: 'loop',
    synonyms: 'llm completion request api query provider inference sampling',
  },
  retry: {
    title: 'Retry',
    stage: 'side_flow',
    synonyms: 'backoff attempts rate limit transient failure again overloaded',
  },
  response_parse: {
    title: 'Response parsing',
    stage: 'loop',
    synonyms: 'parse extract action tool call output answer regex malformed',
  },
  tool_registry: {
    title: 'Tool registry',
    stage: 'setup',
    synonyms: 'tools declare schema register list available functions',
  },
  tool_dispatch: { title: 'Tool dispatch', stage: 'loop', synonyms: 'execute action call tool run route' },
  tool_shell: { title: 'Shell tool', stage: 'loop', synonyms: 'bash command terminal execute run' },
  tool_read: { title: 'Read tool', stage: 'loop', synonyms: 'open view file cat content' },
  tool_edit: { title: 'Edit tool', stage: 'loop', synonyms: 'replace patch change modify diff' },
  tool_write: { title: 'Write tool', stage: 'loop', synonyms: 'create file save content' },
  tool_search: { title: 'Search tool', stage: 'loop', synonyms: 'grep find glob list directory' },
  tool_submit: { title: 'Submit tool', stage: 'loop', synonyms: 'finish done complete answer final submission' },
  permission: {
    title: 'Permission check',
    stage: 'loop',
    synonyms: 'approve confirm allow deny policy safety whitelist ask user',
  },
  exec_boundary: {
    title: 'Execution boundary',
    stage: 'loop',
    synonyms: 'process subprocess spawn container sandbox docker environment timeout kill',
  },
  observation: {
    title: 'Observation shaping',
    stage: 'loop',
    synonyms: 'tool result output format feedback shown to the model',
  },
  truncation: {
    title: 'Truncation',
    stage: 'cross_cut',
    synonyms: 'cut shorten clip limit output long elide characters bytes lines maximum',
  },
  compaction: {
    title: 'Compaction',
    stage: 'side_flow',
    synonyms: 'summarize summary context window overflow condense history prune forget',
  },
  termination: { title: 'Termination', stage: 'loop', synonyms: 'stop finish end done exit completion break return' },
  limits: { title: 'Limits check', stage: 'loop', synonyms: 'maximum steps turns budget cost time limit exceeded cap' },
  format_error: {
    title: 'Format error feedback',
    stage: 'loop',
    synonyms: 'malformed invalid response parse failure repair reprompt',
  },
  trajectory: {
    title: 'Trajectory logging',
    stage: 'cross_cut',
    synonyms: 'trace log record save session history transcript file',
  },
  accounting: { title: 'Accounting', stage: 'cross_cut', synonyms: 'tokens cost usage price statistics count money' },
  subagents: { title: 'Sub-agents', stage: 'side_flow', synonyms: 'delegate child agent spawn task nested' },
  memory_files: {
    title: 'Memory files',
    stage: 'onset',
    synonyms: 'agents.md claude.md notes project context remember',
  },
  stop: { title: 'Stop and interrupt', stage: 'side_flow', synonyms: 'abort cancel interrupt signal ctrl-c shutdown' },
  other: { title: 'Part', stage: 'subsystem', synonyms: '' },
};

/** Kinds that a short telling of a round leaves out first; what asks, acts and ends stays. */
const minorKinds: UnitKind[] = [
  'memory_files',
  'subagents',
  'accounting',
  'trajectory',
  'retry',
  'truncation',
  'format_error',
  'compaction',
];

/** At most so many kinds, in their order, with the telling ones kept. */
export function tellingKinds(kinds: readonly UnitKind[], most: number): UnitKind[] {
  const kept = [...new Set(kinds)];
  for (const minor of minorKinds) if (kept.length > most && kept.includes(minor)) kept.splice(kept.indexOf(minor), 1);
  return kept.slice(0, most);
}

export const stageTitles: Record<StageKind, string> = {
  configure: 'Configure',
  setup: 'Set up the environment and tools',
  onset: 'Begin the run',
  loop: 'Iterate',
  finish: 'Finish',
  side_flow: 'Side flows',
  cross_cut: 'Cross-cuts',
  subsystem: 'Subsystem',
};

/** Stages in the order in which a run goes through them. */
export const stageOrder = StageKind.options;

/** Lower-case words of an identifier or path: `runToolCall_v2` is `run tool call v2`. */
export function wordsOf(identifier: string): string[] {
  return identifier
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
}

/** Whether a path belongs to tests, which stay out of the handbook. */
export function isTestFile(path: string): boolean {
  return (
    /(^|\/)(tests?|__tests__|testing|test-?utils?|test_utils|test-helpers|testdata|spec|e2e|fixtures|__mocks__|benchmarks?\/data)\//.test(
      path,
    ) || /(^|\/)(test_[^/]*|[^/]*_test|conftest)\.py$|_test\.(?:go|rs)$|\.(test|spec)\.[cm]?[jt]sx?$/.test(path)
  );
}

/** Declaration files repeat what the code beside them says; vendored and generated code is nobody's behaviour. */
export function isForeignFile(path: string): boolean {
  return /\.d\.[cm]?ts$|(^|\/)(vendor|vendored|third_party)\/|\.min\.js$|[._-]generated\.[a-z]+$/.test(path);
}

/** Code of a user interface: its names (cancel, stop, limit) say nothing about the agent. */
export function isInterfaceFile(path: string): boolean {
  return /(^|\/)(components?|ui|tui|gui|theme|themes|widgets|views|frontend|web|webview|viewer|export-html|inspector)(\/|\.)/i.test(
    path,
  );
}

/** Code shown to readers or for trials; it is no part of a run. */
export function isExampleFile(path: string): boolean {
  return /(^|\/)(examples?|demos?|samples?|cookbook|tutorials?)\//.test(path);
}
