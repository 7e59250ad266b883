import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { packProbe } from './probeExtension';

const ROOT = path.join(__dirname, '../..');
const PACKAGER = path.join(ROOT, 'scripts/package.mjs');

/** Our extension as it ships, packed anew. */
export function packOurs(): string {
  const out = path.join(ROOT, 'rolloutscope.vsix');
  execFileSync(process.execPath, [PACKAGER, '--out', out], { stdio: ['ignore', 'ignore', 'inherit'] });
  return out;
}

/** A real VS Code with our extension and the probe in it, opened in a browser. */
export interface RealHost {
  readonly runtimeDir: string;
  /** Tells the probe something by a file. */
  tell(name: string): void;
  /** What the probe wrote under that name. @throws when it does not come within `seconds` */
  answer(name: string, seconds?: number): Promise<Record<string, unknown>>;
  stop(): Promise<void>;
}

export async function startRealHost(
  ours: string,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<RealHost> {
  // These are modules that await at their top, which only a dynamic import takes.
  const { installHost } = await import('../../scripts/host/installHost.mjs');
  const { installBrowser } = await import('../../scripts/host/installBrowser.mjs');
  const { startCodeServer } = await import('../../scripts/lib/codeServer.mjs');
  const host = await installHost('full');
  const chrome = await installBrowser();
  // Sockets are made in it, and the path of a socket has room for about 100 characters.
  const root = mkdtempSync(path.join(os.tmpdir(), 'rs-'));
  const [runtimeDir, folder, probe] = ['run', 'folder', 'probe'].map((name) => path.join(root, name));
  for (const each of [runtimeDir!, folder!, probe!]) mkdirSync(each, { recursive: true, mode: 0o700 });
  const server = await startCodeServer({
    host,
    root,
    runtimeDir: runtimeDir!,
    vsix: [ours, packProbe(path.join(root, 'packed'), PACKAGER)],
    settings: { ...settings },
    env: { PROBE_FOLDER: probe! },
  });
  const browser = await chromium.launch({
    executablePath: chrome,
    headless: true,
    chromiumSandbox: false,
    args: ['--disable-gpu'],
  });
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
  await page.goto(server.url(folder!));
  await page.locator('.monaco-workbench .statusbar').waitFor({ timeout: 60_000 });
  return {
    runtimeDir: runtimeDir!,
    tell: (name) => writeFileSync(path.join(probe!, name), ''),
    async answer(name, seconds = 90) {
      const file = path.join(probe!, name);
      const until = Date.now() + seconds * 1000;
      while (!existsSync(file)) {
        if (Date.now() > until) throw new Error(`the probe did not write ${name} within ${seconds} s`);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      return JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
    },
    async stop() {
      await browser.close();
      await server.stop();
      rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
}
