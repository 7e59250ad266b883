import { defineConfig } from 'vitest/config';

// One served workbench and one browser a file, and never two at once: each of them wants a whole core.
export default defineConfig({
  test: {
    include: ['test/e2e/**/*.e2e.ts'],
    globalSetup: ['scripts/e2eSetup.mjs'],
    environment: 'node',
    pool: 'forks',
    fileParallelism: false,
    // A busy workbench may take the focus from a question once; what fails twice has failed.
    retry: 1,
    sequence: { concurrent: false },
    testTimeout: 120_000,
    hookTimeout: 180_000,
    teardownTimeout: 30_000,
  },
});
