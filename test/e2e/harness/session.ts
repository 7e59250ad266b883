import type { Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { keepArtefactsOnFailure, watchConsole } from './artefacts';
import { openWorkbench, startBrowser } from './browser';
import type { Browser } from './browser';
import { startWorkbench } from './workbench';
import type { Workbench, WorkbenchOptions } from './workbench';

export interface Session {
  readonly page: Page;
  readonly workbench: Workbench;
}

/**
 * One workbench and one page for all tests of a file, with the logs kept when a test fails.
 * @param options made once, before the first test
 * @param viewport of the page, CSS pixels
 * @returns the session; asked before the first test it throws
 */
export function useWorkbench(
  options: () => WorkbenchOptions | Promise<WorkbenchOptions>,
  viewport?: { readonly width: number; readonly height: number },
): () => Session {
  let workbench: Workbench | undefined;
  let browser: Browser | undefined;
  let page: Page | undefined;

  beforeAll(async () => {
    workbench = await startWorkbench(await options());
    browser = await startBrowser(viewport);
    browser.context.on('page', watchConsole);
    page = await openWorkbench(browser, workbench);
  });
  afterAll(async () => {
    try {
      await browser?.stop();
    } finally {
      await workbench?.stop();
    }
  });
  keepArtefactsOnFailure(() => ({ page, workbench }));

  return () => {
    if (page === undefined || workbench === undefined)
      throw new Error('The workbench is not open yet: ask inside a test.');
    return { page, workbench };
  };
}
