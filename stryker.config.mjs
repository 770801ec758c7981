// Mutation testing of the statistics: every formula is changed in small ways, and a test must notice each.
export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'vitest.config.ts', related: false },
  mutate: ['src/core/validation/statistics/*.ts', '!src/core/validation/statistics/index.ts'],
  // Only what these tests need is copied into the sandbox.
  ignorePatterns: [
    '**',
    '!src/core/validation/statistics/**',
    '!test/unit/validation/statistics/**',
    '!vitest.config.ts',
    '!tsconfig.json',
    '!package.json',
  ],
  reporters: ['clear-text', 'progress-append-only', 'json'],
  jsonReporter: { fileName: 'dist/mutation/statistics.json' },
  clearTextReporter: { allowColor: false, reportTests: false, logTests: false },
  tempDirName: '.mutation',
  incrementalFile: 'dist/mutation/incremental.json',
  concurrency: 2,
  timeoutMS: 4_000,
  thresholds: { high: 95, low: 90, break: 85 },
};
