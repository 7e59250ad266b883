import { defineConfig } from 'vitest/config';

export default defineConfig({
  esbuild: { jsx: 'automatic', jsxImportSource: 'preact' },
  test: {
    include: [
      '{protocol,methods,run-store,sample-run,webview,extension,language-server,bench,scripts,test/unit}/**/*.test.{ts,tsx}',
    ],
    setupFiles: ['test/unit/fastCheck.setup.ts'],
    environment: 'node',
    testTimeout: 30_000,
  },
});
