import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { inject } from 'vitest';
import { startCodeServer } from '../../../scripts/lib/codeServer.mjs';
import type {} from './provided';

export interface WorkbenchOptions {
  /** Extensions to install, as .vsix files. */
  readonly vsix: readonly string[];
  /** User settings, beside those that keep a throw-away workbench quiet. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** The opened folder; absent: an empty one of its own. */
  readonly folder?: string;
  /** XDG_RUNTIME_DIR of the extension host, where found runs are looked for; absent: one of its own. */
  readonly runtimeDir?: string;
  /** More variables for the extension host. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface Workbench {
  /** The address that opens the folder in a browser. */
  readonly url: string;
  readonly folder: string;
  readonly runtimeDir: string;
  /** The file with what the server printed. */
  readonly serverLog: string;
  /** The folder VS Code writes its logs to, the extension host's among them. */
  readonly logs: string;
  /** Ends the server, the extension host and everything they started, and removes their files. */
  readonly stop: () => Promise<void>;
}

const QUIET_FOR_TESTS = { 'editor.fontFamily': 'DejaVu Sans Mono', 'window.confirmBeforeClose': 'never' };

/** A sample run outlives the window that started it, as it should; the workbench of a test takes it along. */
function endFoundRuns(runtimeDir: string): void {
  const folder = path.join(runtimeDir, 'rolloutscope');
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const found: unknown = JSON.parse(readFileSync(path.join(folder, name), 'utf8'));
    if (typeof found !== 'object' || found === null || !('pid' in found)) continue;
    try {
      process.kill(Number(found.pid), 'SIGTERM');
    } catch {
      // It has ended by itself.
    }
  }
}

/**
 * Serves a real VS Code with the extensions installed; nothing of it touches the person's own VS Code or home.
 * @throws when an extension is refused or the server is not up within 60 s
 */
export async function startWorkbench(options: WorkbenchOptions): Promise<Workbench> {
  // Sockets are made in it, and the path of a socket has room for about 100 characters.
  const root = mkdtempSync(path.join(os.tmpdir(), 'rs-'));
  const runtimeDir = options.runtimeDir ?? path.join(root, 'run');
  const folder = options.folder ?? path.join(root, 'folder');
  for (const each of [runtimeDir, folder]) mkdirSync(each, { recursive: true, mode: 0o700 });
  const remove = (): void => rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  try {
    const server = await startCodeServer({
      host: inject('host'),
      root,
      runtimeDir,
      vsix: options.vsix,
      settings: { ...QUIET_FOR_TESTS, ...options.settings },
      env: options.env ?? {},
    });
    return {
      url: server.url(folder),
      folder,
      runtimeDir,
      serverLog: server.serverLog,
      logs: path.join(server.userData, 'logs'),
      stop: async () => {
        await server.stop();
        endFoundRuns(runtimeDir);
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}
