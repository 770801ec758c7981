const testFile = /(^|\/)(tests?|__tests__|__mocks__)\/|[._](test|spec|bench)\.\w+$|(^|\/)(test_[^/]*|conftest)\.py$/;

/** Whether a path holds tests: doubles in there do not stand for what the harness really calls. */
export function isTestFile(path: string): boolean {
  return testFile.test(path);
}

/** The place of a symbol; of one that only tests are compiled with, a place among the tests. */
export function placeOf({ file, symbol }: { file: { path: string }; symbol: { test?: boolean | undefined } }): string {
  return symbol.test ? `tests/${file.path}` : file.path;
}

/** Without those in test files, unless there are no others. */
export function outsideTests<T>(candidates: readonly T[], pathOf: (candidate: T) => string): T[] {
  const outside = candidates.filter((candidate) => !isTestFile(pathOf(candidate)));
  return outside.length > 0 ? outside : [...candidates];
}
