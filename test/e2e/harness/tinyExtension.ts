import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './places';

const MANIFEST = {
  name: 'tiny',
  displayName: 'Tiny',
  version: '0.0.1',
  publisher: 'harness',
  license: 'MIT',
  engines: { vscode: '^1.100.0' },
  main: './extension.js',
  activationEvents: [],
  contributes: {
    commands: [
      { command: 'tiny.overview', title: 'Open Overview', category: 'Tiny' },
      { command: 'tiny.budgets', title: 'Open Budgets', category: 'Tiny' },
    ],
  },
};

const EXTENSION = `
const vscode = require('vscode');
const page = (name, nonce) => \`<!DOCTYPE html><html lang="en"><head><title>\${name}</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'nonce-\${nonce}'"></head>
<body data-panel="\${name}"><main><h1>\${name}</h1><button id="ask">Ask</button><p id="answer">nothing yet</p>
<button id="fail">Fail</button></main>
<script nonce="\${nonce}">
  window.__rolloutscopeErrors = [];
  window.addEventListener('error', (event) => window.__rolloutscopeErrors.push(event.message));
  const vscode = acquireVsCodeApi();
  document.getElementById('ask').onclick = () => vscode.postMessage('ask');
  document.getElementById('fail').onclick = () => { throw new Error('on purpose'); };
  window.addEventListener('message', (event) => { document.getElementById('answer').textContent = event.data; });
</script></body></html>\`;
function open(name, column) {
  console.log('tiny opens ' + name);
  const panel = vscode.window.createWebviewPanel(name, name, column, { enableScripts: true });
  let asked = 0;
  panel.webview.onDidReceiveMessage(() => panel.webview.postMessage('answer ' + (asked += 1) + ' to ' + name
    + ' in ' + process.env.TINY + ', setting ' + vscode.workspace.getConfiguration('tiny').get('setting')));
  panel.webview.html = page(name, 'n' + Math.random().toString(36).slice(2));
}
exports.activate = (context) => context.subscriptions.push(
  vscode.commands.registerCommand('tiny.overview', () => open('overview', vscode.ViewColumn.One)),
  vscode.commands.registerCommand('tiny.budgets', () => open('budgets', vscode.ViewColumn.Two)));
`;

/**
 * Packs the least extension that has what ours has for the harness: commands, two panels that talk to the host, errors.
 * @param folder where to make it; created when absent
 * @returns path of the .vsix
 */
export function packTinyExtension(folder: string): string {
  mkdirSync(folder, { recursive: true });
  const out = path.join(folder, 'tiny.vsix');
  for (const [name, text] of Object.entries({
    'package.json': JSON.stringify(MANIFEST),
    'extension.js': EXTENSION,
    'README.md': '# Tiny\n',
    LICENSE: 'MIT\n',
    '.vscodeignore': '**\n!extension.js\n!package.json\n!README.md\n!LICENSE\n',
  })) {
    writeFileSync(path.join(folder, name), text);
  }
  const script = path.join(ROOT, 'scripts/package.mjs');
  execFileSync(process.execPath, [script, '--folder', folder, '--out', out, '--no-build'], { stdio: 'pipe' });
  return out;
}
