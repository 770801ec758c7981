import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: import.meta.dirname,
    // The pictures are no tests, but need the same tools.
    include: process.env.HARNESSMITH_SCREENSHOTS ? ['screenshots.ts'] : ['**/*.test.ts'],
    testTimeout: 10 * 60_000,
    hookTimeout: 5 * 60_000,
    expect: { poll: { timeout: 20_000 } },
    // One workbench at a time: the tests share the machine with a browser and an editor server.
    fileParallelism: false,
  },
});
