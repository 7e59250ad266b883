import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * An extension beside ours that asks ours for figures from inside the real extension host. It writes what it was
 * told to files in PROBE_FOLDER: `activated.json` once; then, each time `measure-N` appears there (N from 0), it
 * measures the delay of the extension-host thread until `stop-N` appears, and writes `delay-N.json`.
 */
const EXTENSION = `
const vscode = require('vscode');
const fs = require('fs');
const path = require('path');
const folder = process.env.PROBE_FOLDER;
const write = (name, value) => {
  fs.writeFileSync(path.join(folder, name + '.part'), JSON.stringify(value));
  fs.renameSync(path.join(folder, name + '.part'), path.join(folder, name));
};
const appears = (name) => new Promise((resolve) => {
  const timer = setInterval(() => {
    if (!fs.existsSync(path.join(folder, name))) return;
    clearInterval(timer);
    resolve();
  }, 100);
});
exports.activate = async () => {
  const ours = vscode.extensions.getExtension('rolloutscope.rolloutscope');
  const api = await ours.activate();
  write('activated.json', { activateMs: api.activateMs });
  for (let n = 0; ; n++) {
    await appears('measure-' + n);
    const delay = api.measureDelay();
    write('measuring-' + n + '.json', { runs: api.runs().length });
    await appears('stop-' + n);
    write('delay-' + n + '.json', delay.stop());
  }
};
`;

const MANIFEST = {
  name: 'probe',
  displayName: 'Probe',
  version: '0.0.1',
  publisher: 'bench',
  license: 'MIT',
  engines: { vscode: '^1.100.0' },
  main: './extension.js',
  activationEvents: ['onStartupFinished'],
};

/** @returns path of the packed probe */
export function packProbe(folder: string, packager: string): string {
  mkdirSync(folder, { recursive: true });
  const out = path.join(folder, 'probe.vsix');
  const files = {
    'package.json': JSON.stringify(MANIFEST),
    'extension.js': EXTENSION,
    'README.md': '# Probe\n',
    LICENSE: 'MIT\n',
    '.vscodeignore': '**\n!extension.js\n!package.json\n!README.md\n!LICENSE\n',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  execFileSync(process.execPath, [packager, '--folder', folder, '--out', out, '--no-build'], {
    stdio: 'pipe',
  });
  return out;
}
