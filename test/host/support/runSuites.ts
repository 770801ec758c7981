import Mocha from 'mocha';

/** What one test came to; `error` is set when it failed. */
export interface HostTestResult {
  readonly title: string;
  readonly error?: string;
}

/**
 * Runs the suites that `loads` register, inside the extension host. A suite that was skipped counts as failed: in the
 * scenarios everything is meant to run.
 */
export async function runSuites(loads: readonly (() => unknown)[]): Promise<{ tests: HostTestResult[] }> {
  const mocha = new Mocha({ ui: 'bdd', timeout: 60_000, reporter: Mocha.reporters.Base });
  mocha.suite.emit('pre-require', globalThis, 'suites', mocha);
  for (const load of loads) load();
  const tests: HostTestResult[] = [];
  await new Promise<void>((resolve) => {
    const runner = mocha.run(() => resolve());
    runner.on('pass', (test) => tests.push({ title: test.fullTitle() }));
    runner.on('pending', (test) => tests.push({ title: test.fullTitle(), error: 'The test was skipped.' }));
    runner.on('fail', (test, error: Error) =>
      tests.push({ title: test.fullTitle(), error: error.stack ?? error.message }),
    );
  });
  return { tests };
}
