import type { Frame, Page } from 'playwright-core';

/** The value of `data-panel` on the body of each of our panels. */
export type PanelName = 'overview' | 'rolloutTree' | 'budgets' | 'passAtK';

declare global {
  interface Window {
    /** Uncaught errors, unhandled rejections and policy violations; each panel collects its own. */
    __rolloutscopeErrors?: string[];
  }
}

/** A frame that is being taken down or loaded may never answer: it counts as not there. */
async function orNothing<T>(question: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), 2000);
  });
  try {
    return await Promise.race([question.catch(() => undefined), patience]);
  } finally {
    clearTimeout(timer);
  }
}

const panelOf = (frame: Frame): Promise<string | undefined> =>
  orNothing(frame.evaluate(() => document.body.dataset['panel']));

/** Hidden panels may keep their frames; the workbench hides the outer one of the two. */
async function isShown(frame: Frame): Promise<boolean> {
  const outer = frame.parentFrame();
  if (outer === null) return false;
  return (await orNothing(outer.frameElement().then((element) => element.isVisible()))) === true;
}

async function shownFrames(page: Page): Promise<{ readonly panel: string; readonly frame: Frame }[]> {
  const found = [];
  for (const frame of page.frames()) {
    const panel = await panelOf(frame);
    if (panel !== undefined && (await isShown(frame))) found.push({ panel, frame });
  }
  return found;
}

/**
 * The document of a panel that is shown now, whatever else is open. Ask again after a panel was hidden and shown: its
 * document may have been made anew.
 * @throws when no such panel is shown within the time, naming those that are
 */
export async function panelFrame(page: Page, panel: PanelName, timeoutMs = 30_000): Promise<Frame> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const shown = await shownFrames(page);
    const match = shown.find((each) => each.panel === panel);
    if (match !== undefined) return match.frame;
    if (Date.now() > deadline) {
      const names = shown.map((each) => each.panel).join(', ');
      throw new Error(`No panel "${panel}" is shown; shown are: ${names || 'none'}`);
    }
    await page.waitForTimeout(100);
  }
}

/** The errors that the shown panels have collected, as "panel: error". A test expects none. */
export async function panelErrors(page: Page): Promise<string[]> {
  const errors = [];
  for (const { panel, frame } of await shownFrames(page)) {
    const own = await orNothing(frame.evaluate(() => window.__rolloutscopeErrors ?? []));
    errors.push(...(own ?? []).map((each) => `${panel}: ${each}`));
  }
  return errors;
}
