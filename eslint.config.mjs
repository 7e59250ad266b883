import js from '@eslint/js';
import tseslint from 'typescript-eslint';

/** The import borders of docs/architecture.md: folder → our folders that it may import. */
const MAY_IMPORT = {
  protocol: [],
  methods: [],
  'run-store': ['protocol', 'methods'],
  'sample-run': ['protocol', 'methods'],
  webview: ['protocol', 'methods', 'run-store'],
  extension: ['protocol', 'run-store', 'methods'],
  'language-server': ['protocol', 'methods'],
};
const FOLDERS = [...Object.keys(MAY_IMPORT), 'test', 'bench', 'scripts'];

/** External packages that only one file may know: package → that file. */
const SINGLE_OWNER = {
  ws: ['extension/session/webSocketTransport.ts', 'sample-run/**', 'test/**', 'bench/**'],
  '@vscode/webview-ui-toolkit': ['webview/shared/controls.tsx'],
  vscode: ['extension/**'],
};

const border = (folder) => {
  const forbidden = FOLDERS.filter((other) => other !== folder && !MAY_IMPORT[folder].includes(other));
  return {
    files: [`${folder}/**/*.{ts,tsx}`],
    ignores: ['**/*.test.{ts,tsx}'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: `^(\\.\\./)+(${forbidden.join('|')})/`,
              message: `${folder} may import only: ${MAY_IMPORT[folder].join(', ') || 'nothing of ours'}.`,
            },
            ...(folder === 'webview'
              ? [
                  {
                    regex: '^(\\.\\./)+run-store/(?!queries/)',
                    message: 'webview takes only the query types of run-store.',
                  },
                ]
              : []),
            ...(folder === 'language-server'
              ? [
                  {
                    regex: '^(\\.\\./)+protocol/(?!editor/)',
                    message: 'language-server takes only protocol/editor.',
                  },
                ]
              : []),
            ...(['protocol', 'methods'].includes(folder)
              ? [{ regex: '^(node:|vscode$|ws$)', message: `${folder} has no I/O.` }]
              : []),
            ...Object.entries(SINGLE_OWNER)
              .filter(([, owners]) => !owners.some((o) => o.startsWith(`${folder}/**`)))
              .map(([name]) => ({
                regex: `^${name}(/|$)`,
                message: `${name} has one owner: see eslint.config.mjs.`,
              })),
          ],
        },
      ],
    },
  };
};

export default tseslint.config(
  { ignores: ['dist', '.tsbuild', '.cache', 'node_modules', 'test-results', '**/*.generated.*'] },
  js.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-non-null-assertion': 'off',
      // Interfaces ask for promises; a body need not wait for one.
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/no-unnecessary-condition': ['error', { allowConstantLoopConditions: true }],
    },
  },
  ...Object.keys(MAY_IMPORT).map(border),
  {
    files: Object.values(SINGLE_OWNER)
      .flat()
      .filter((f) => !f.includes('**')),
    rules: { 'no-restricted-imports': 'off' },
  },
  {
    files: ['**/*.{mjs,cjs}'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
        fetch: 'readonly',
        Buffer: 'readonly',
      },
    },
  },
);
