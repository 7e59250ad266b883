import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { chromium } from 'playwright-core';
import type { BrowserContext, Page } from 'playwright-core';
import { inject } from 'vitest';
import type {} from './provided';
import type { Workbench } from './workbench';

export interface Browser {
  readonly context: BrowserContext;
  readonly stop: () => Promise<void>;
}

const FLAGS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts a Chromium with a fresh profile. Service workers stay on: webviews get their files through one. */
export async function startBrowser(viewport = { width: 1400, height: 900 }): Promise<Browser> {
  const profile = mkdtempSync(path.join(os.tmpdir(), 'rs-browser-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: inject('chrome'),
    headless: true,
    chromiumSandbox: false,
    viewport,
    args: FLAGS,
  });
  return {
    context,
    stop: async () => {
      await context.close();
      rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
}

/** Opens the workbench's folder in a page of its own and waits until the workbench can be used. */
export async function openWorkbench(browser: Browser, workbench: Workbench): Promise<Page> {
  const page = await browser.context.newPage();
  page.setDefaultTimeout(30_000);
  await page.goto(workbench.url);
  await page.locator('.monaco-workbench .statusbar').waitFor({ timeout: 60_000 });
  await page.locator('.explorer-folders-view').waitFor({ timeout: 60_000 });
  return page;
}
