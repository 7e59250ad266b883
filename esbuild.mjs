/** Bundles everything that ships. `--production` minifies and leaves out source maps. */
import { build } from 'esbuild';
import { cp, mkdir, rm } from 'node:fs/promises';

const production = process.argv.includes('--production');
const common = {
  bundle: true,
  minify: production,
  sourcemap: production ? false : 'linked',
  target: 'es2022',
  logLevel: 'warning',
  legalComments: 'none',
  define: { 'process.env.NODE_ENV': production ? '"production"' : '"development"' },
};
const node = {
  ...common,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  external: ['vscode', 'bufferutil', 'utf-8-validate'],
};
const page = { ...common, platform: 'browser', format: 'iife', jsx: 'automatic', jsxImportSource: 'preact' };

/** Name in dist/ → entry, for the host’s runtime. */
const NODE = {
  extension: 'extension/extension.ts',
  'session-worker': 'extension/session/sessionWorker.ts',
  'language-client': 'extension/configs/languageClient.ts',
  'language-server': 'language-server/server.ts',
  'sample-run': 'sample-run/main.ts',
};
/** Name in dist/webview/ → entry, for pages. Each page has one script and one style sheet. */
const PAGES = {
  overview: 'webview/overview/main.tsx',
  rolloutTree: 'webview/rolloutTree/main.tsx',
  budgets: 'webview/budgets/main.tsx',
  passAtK: 'webview/passAtK/main.tsx',
};

await rm('dist', { recursive: true, force: true });
await mkdir('dist/webview', { recursive: true });
const entryPoints = (entries) => Object.entries(entries).map(([out, entry]) => ({ out, in: entry }));

await Promise.all([
  build({
    ...node,
    entryPoints: entryPoints(NODE),
    outdir: 'dist',
    // The client is loaded on first use only, from its own bundle.
    plugins: [
      {
        name: 'language-client-apart',
        setup(b) {
          b.onResolve({ filter: /configs\/languageClient$/ }, () => ({
            path: './language-client.js',
            external: true,
          }));
        },
      },
    ],
  }),
  build({
    ...page,
    entryPoints: entryPoints(PAGES),
    outdir: 'dist/webview',
    loader: { '.ttf': 'file' },
    assetNames: '[name]',
  }),
]);
await cp('sample-run/policy/weights.bin', 'dist/weights.bin');
