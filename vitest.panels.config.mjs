import { defineConfig } from 'vitest/config';

// The pages of the panels in a Chromium of their own, one file at a time: each drives a browser.
export default defineConfig({
  test: {
    globalSetup: ['scripts/panelsSetup.mjs'],
    include: ['test/panels/**/*.panel.ts'],
    environment: 'node',
    pool: 'forks',
    fileParallelism: false,
    // Each test opens a page of its own; on a busy machine a key may come before the page has drawn.
    retry: 1,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
