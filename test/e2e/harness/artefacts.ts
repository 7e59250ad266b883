import { appendFileSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeEach } from 'vitest';
import { RESULTS, fileName } from './places';
import type { Workbench } from './workbench';

export interface Watched {
  readonly page?: Page | undefined;
  readonly workbench?: Workbench | undefined;
}

const consoleLines = new WeakMap<Page, string[]>();

/** Keeps what the page says on its console; the extension host's console arrives there as well. */
export function watchConsole(page: Page): void {
  const lines: string[] = [];
  consoleLines.set(page, lines);
  page.on('console', (message) => lines.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => lines.push(`uncaught: ${error.stack ?? error.message}`));
}

/** Refusals by a content security policy since the page was opened, from whichever frame. A test expects none. */
export const policyViolations = (page: Page): string[] =>
  (consoleLines.get(page) ?? []).filter(
    (line) => line.startsWith('error: ') && line.includes('Content Security Policy'),
  );

/** Never throws: what cannot be kept is named among what can, and the hooks that clean up still run. */
async function keep(name: string, { page, workbench }: Watched): Promise<void> {
  const folder = path.join(RESULTS, 'failures', fileName(name));
  mkdirSync(folder, { recursive: true });
  const attempt = async (what: string, work: () => unknown): Promise<void> => {
    try {
      await work();
    } catch (error) {
      appendFileSync(path.join(folder, 'not-kept.txt'), `${what}: ${String(error)}\n`);
    }
  };
  if (page !== undefined) {
    await attempt('console', () =>
      writeFileSync(path.join(folder, 'console.log'), (consoleLines.get(page) ?? []).join('\n')),
    );
    await attempt('picture', () => page.screenshot({ path: path.join(folder, 'page.png'), timeout: 10_000 }));
  }
  if (workbench !== undefined) {
    await attempt('server log', () => cpSync(workbench.serverLog, path.join(folder, 'server.log')));
    await attempt('logs', () =>
      cpSync(workbench.logs, path.join(folder, 'vscode-logs'), { recursive: true }),
    );
  }
}

/**
 * Keeps a picture and the logs of every failed test, and of a set-up after which no test ran, in test-results/failures. Call it after the
 * hook that stops the workbench: hooks run last first, and the logs go away with the workbench.
 */
export function keepArtefactsOnFailure(watched: () => Watched): void {
  let setUp = false;
  beforeEach(() => {
    setUp = true;
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await keep(`${path.basename(task.file.name)} ${task.name}`, watched());
  });
  afterAll(async () => {
    if (!setUp) await keep('set-up', watched());
  });
}
