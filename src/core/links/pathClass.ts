/** What a file is for, by its path. Texts of tests and documents repeat texts of the harness but do not make them. */
export type PathClass = 'source' | 'example' | 'interface' | 'document' | 'test' | 'vendor';

const RULES: readonly [PathClass, RegExp][] = [
  [
    'vendor',
    /(^|\/)(node_modules|vendor|third_party|site-packages|dist|build|out)\/|\.(min|bundle|generated)\.|(^|\/)(licen[cs]e|notice|credits)/,
  ],
  [
    'test',
    /(^|\/)(tests?|integration-tests?|__tests__|__mocks__|testing|test_data|fixtures?|snapshots?|e2e|evals?|golden|mocks?|fakes?|stubs?)\/|(^|\/)(test_[^/]*|[^/]*_test|conftest)\.\w+$|\.(test|spec|snap)\./,
  ],
  [
    'document',
    /^\.(?!harnessmith)[^/]+\/|(^|\/)(docs?|documentation|website|locales?|i18n|\.github)\/|(^|\/)(readme|changelog|contributing|agents)[^/]*$/,
  ],
  ['example', /(^|\/)(examples?|samples?|cookbook|demos?|trajectories|benchmarks?|evaluation|scripts?)\//],
  ['interface', /(^|\/)(www|frontend|webview(-ui)?|ui|viewer|components|views|pages|stories)\//],
];

const WEIGHTS: Record<PathClass, number> = {
  source: 1,
  example: 0.75,
  interface: 0.7,
  document: 0.55,
  test: 0.5,
  vendor: 0.4,
};

export function pathClassOf(path: string): PathClass {
  const lower = path.toLowerCase();
  return RULES.find(([, pattern]) => pattern.test(lower))?.[0] ?? 'source';
}

/** How far a match in a file of this class counts, 0 to 1. */
export function classWeight(path: string): number {
  return WEIGHTS[pathClassOf(path)];
}

/** True for files that can only repeat a text: they never win over a file that makes it. */
export function onlyRepeats(path: string): boolean {
  return ['document', 'test', 'vendor'].includes(pathClassOf(path));
}
