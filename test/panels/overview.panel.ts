import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import type { OverviewView } from '../../protocol/panels/overview';
import { PageHost, picture, type OpenOptions } from './pageHost';

let host: PageHost;
let page: Page;
beforeAll(async () => {
  host = await PageHost.start(['overview']);
});
afterAll(() => host.close());
afterEach(async () => {
  const errors = await page.evaluate(() => window.__rolloutscopeErrors ?? []);
  await page.context().close();
  expect(errors).toEqual([]);
});

const open = async (scenario: string, options?: OpenOptions): Promise<void> => {
  page = await host.open(scenario, options);
};
/** What the page has asked for, once at least `n` requests have arrived. */
const commands = async (n: number) => {
  await page.waitForFunction((least) => (window.fakeHost?.commands.length ?? 0) >= least, n);
  return page.evaluate(() => window.fakeHost?.commands ?? []);
};
const selections = async (n: number) => {
  await page.waitForFunction((least) => (window.fakeHost?.selections.length ?? 0) >= least, n);
  return page.evaluate(() => window.fakeHost?.selections ?? []);
};
const button = (name: string | RegExp) => page.getByRole('button', { name });

describe('steering from the overview', () => {
  it('asks for each of the three pauses, by mouse and by keyboard', async () => {
    await open('overview-live');
    await button(/^Pause$/).click();
    await page.getByRole('menuitem', { name: /At the step boundary/ }).click();
    await button(/^Pause$/).focus();
    await page.keyboard.press('ArrowDown');
    await page.locator('[role="menuitem"]:focus').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await button(/^Pause$/).press('Enter');
    await page.locator('[role="menuitem"]:focus').waitFor();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    expect(await commands(3)).toEqual([
      { id: 'pause', target: 'run', mode: 'step-boundary' },
      { id: 'pause', target: 'run', mode: 'drain' },
      { id: 'pause', target: 'run', mode: 'now' },
    ]);
  });

  it('closes the menu by Escape and gives the focus back', async () => {
    await open('overview-live');
    await button(/^Pause$/).click();
    await page.keyboard.press('Escape');
    expect(await page.getByRole('menu').count()).toBe(0);
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('VSCODE-BUTTON');
    expect(await commands(0)).toEqual([]);
  });

  it('offers Resume and one step while paused', async () => {
    await open('overview-paused');
    await page.locator('header').getByRole('button', { name: 'Resume' }).click();
    await button('One step').click();
    expect(await commands(2)).toEqual([{ id: 'resume', target: 'run' }, { id: 'step' }]);
  });

  it('says in the title why it cannot steer, and then asks for nothing', async () => {
    await open('overview-lost');
    const pause = page.locator('header vscode-button').first();
    expect(await pause.getAttribute('title')).toBe('The connection is lost: nothing can be sent.');
    await pause.click();
    await page.locator('[data-finding="f-slow"] vscode-button').first().click();
    expect(await commands(0)).toEqual([]);
    await page.getByRole('button', { name: 'Try now' }).click();
    expect(await commands(1)).toEqual([{ id: 'retryNow' }]);
  });

  it('has no steering buttons in a recorded run', async () => {
    await open('overview-recorded');
    expect(await page.locator('header vscode-button').count()).toBe(0);
    expect(await button('Break when…').count()).toBe(0);
    expect(await button('Skip 27 solved…').count()).toBe(0);
    expect(await button('Open tree').count()).toBe(2);
  });

  it('shows the turning mark on what was asked for until the job answers', async () => {
    await open('overview-pending');
    expect(await page.locator('header vscode-button .rs-turns').count()).toBe(1);
    await page.locator('header vscode-button').first().click();
    expect(await page.getByRole('menu').count()).toBe(0);
    await page.evaluate(() => window.fakeHost?.setPending([]));
    await page.waitForFunction(() => document.querySelectorAll('header .rs-turns').length === 0);
  });

  it('turns levers into commands about the finding’s subjects, and undoes a change', async () => {
    await open('overview-live');
    await button('Stop rollout…').click();
    await button('Skip 27 solved…').click();
    await page.getByRole('button', { name: /^Undo: uniform/ }).focus();
    await page.keyboard.press('Enter');
    await button('Remove this condition').click();
    expect(await commands(4)).toEqual([
      { id: 'stop', subject: { type: 'rollout', id: 'func-4420/37' } },
      { id: 'skip', prompts: ['sys-4589', 'prime-4687'] },
      { id: 'undo', command: 'cmd-11-20' },
      { id: 'breakRemove', breakpoint: 'b1' },
    ]);
  });
});

describe('the slowest rollouts', () => {
  it('are walked by the arrows and chosen by Enter or a click', async () => {
    await open('overview-live');
    const grid = page.getByRole('grid', { name: /Slowest rollouts/ });
    await grid.focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('row', { name: /sys-3006\/8/ }).click();
    expect(await selections(2)).toEqual([
      { step: 412, prompt: 'color-5173', group: 'g-color-5173', rollout: 'color-5173/5' },
      { step: 412, prompt: 'sys-3006', group: 'g-sys-3006', rollout: 'sys-3006/8' },
    ]);
    await page.waitForFunction(
      () => document.querySelector('.rs-chosen')?.textContent.includes('sys-3006') === true,
    );
  });

  it('show a card after a moment, away from the row, and Escape closes it', async () => {
    await open('overview-live');
    const row = page.getByRole('row', { name: /color-5173\/12/ });
    await row.hover();
    const card = page.getByRole('tooltip');
    await card.waitFor();
    expect(await card.textContent()).toContain('6,744 tokens in 187\u202fs');
    const [cardBox, rowBox] = [await card.boundingBox(), await row.boundingBox()];
    expect(
      cardBox && rowBox && (cardBox.y + cardBox.height <= rowBox.y || cardBox.y >= rowBox.y + rowBox.height),
    ).toBe(true);
    await picture(page, 'overview-card-dark-1400');
    await page.keyboard.press('Escape');
    expect(await card.count()).toBe(0);
  });

  it('have their table behind the key T', async () => {
    await open('overview-live');
    await page.getByRole('grid', { name: /Slowest rollouts/ }).focus();
    await page.keyboard.press('t');
    await page.getByRole('columnheader', { name: 'most versions behind' }).waitFor();
    const cells = await page
      .getByRole('row', { name: /circle-2344\/14/ })
      .getByRole('gridcell')
      .allTextContents();
    expect(cells.slice(0, 3)).toEqual(['circle-2344/14', 'circle-2344', '159\u202fs']);
    await picture(page, 'overview-table-dark-1400');
    await page.keyboard.press('t');
    await page.getByRole('columnheader', { name: 'most versions behind' }).waitFor({ state: 'detached' });
  });
});

describe('rollouts by step', () => {
  it('are walked by the arrows; Enter shows the step', async () => {
    await open('overview-live');
    await page.getByRole('listbox', { name: 'Rollouts by step' }).focus();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    expect(await selections(1)).toEqual([{ step: 410, group: null, rollout: null, node: null }]);
    await page.waitForFunction(() =>
      (window.fakeHost?.subscriptions ?? []).some(({ params }) => JSON.stringify(params) === '{"step":410}'),
    );
  });

  it('say each bar in words', async () => {
    await open('overview-live');
    const name = await page.getByRole('option').last().getAttribute('aria-label');
    expect(name).toBe(
      'step 412: 561 with a gradient, 347 without, 61 running or undecided, 47 discarded or killed, of 1,024 planned',
    );
  });
});

describe('the page and its host', () => {
  it('acknowledges each picture once, after it was drawn', async () => {
    await open('overview-live');
    await page.waitForFunction(() => window.fakeHost?.acks.length === 1);
    await page.evaluate(() => window.fakeHost?.send());
    await page.waitForFunction(() => window.fakeHost?.acks.length === 2);
    expect(await page.evaluate(() => window.fakeHost?.acks)).toEqual([
      { subscription: 1, version: 1 },
      { subscription: 1, version: 2 },
    ]);
  });

  it('draws new data in place', async () => {
    await open('overview-live');
    await page.evaluate(() =>
      window.fakeHost?.send((_view, data) => {
        const view = data as OverviewView;
        return {
          ...view,
          figures: view.figures.map((f) => (f.id === 'effectiveBatch' ? { ...f, value: 777 } : f)),
        };
      }),
    );
    await page.getByText('777', { exact: true }).waitFor();
  });

  it('never takes text of a job for markup', async () => {
    await open('overview-live');
    await page.evaluate(() =>
      window.fakeHost?.send((_view, data) => {
        const view = data as OverviewView;
        const evil = '<img src=x onerror="window.pwned=1"><b>bold</b>';
        return {
          ...view,
          findings: view.findings.map((finding) => ({ ...finding, title: evil, evidence: evil })),
          slowest: view.slowest.map((rollout, i) => ({ ...rollout, rollout: `${evil}/${i}` })),
          steering: view.steering.map((row) => ({ ...row, sentence: evil, author: evil })),
        };
      }),
    );
    await page.getByText('<img src=x').first().waitFor();
    expect(await page.locator('#app img, #app .ov-finding b').count()).toBe(0);
    expect(await page.evaluate(() => 'pwned' in window)).toBe(false);
  });

  it('keeps still when nothing happens, and breathes only while the run lives', async () => {
    const moving = () =>
      page.evaluate(() => document.getAnimations().filter(({ playState }) => playState === 'running').length);
    await open('overview-live');
    expect(await moving()).toBeGreaterThan(0);
    await page.context().close();
    await open('overview-live', { reducedMotion: true });
    expect(await moving()).toBe(0);
    await page.context().close();
    await open('overview-lost');
    await page.evaluate(() =>
      window.fakeHost?.send((_view, data) => ({ ...(data as OverviewView), steering: [] })),
    );
    await page.waitForFunction(() => document.getAnimations().length === 0);
  });

  it('walks its panes by F6, with one focus at a time', async () => {
    await open('overview-live');
    const panes: string[] = [];
    for (let i = 0; i < 5; i++) {
      await page.keyboard.press('F6');
      panes.push(
        await page.evaluate(
          () => document.activeElement?.closest('[data-pane]')?.getAttribute('aria-label') ?? 'header',
        ),
      );
    }
    expect(panes).toEqual([
      'header',
      'Slowest rollouts of step 412',
      'Rollouts by step',
      'Findings',
      'header',
    ]);
  });

  it('tells the host of an error in the page, without its input', async () => {
    await open('overview-live');
    await page.evaluate(() => {
      const error = new SyntaxError('Unexpected token in: secret model text');
      window.dispatchEvent(new ErrorEvent('error', { error }));
    });
    await page.waitForFunction(() => (window.fakeHost?.problems.length ?? 0) > 0);
    expect(await page.evaluate(() => window.fakeHost?.problems)).toEqual(['SyntaxError']);
    await page.evaluate(() => {
      window.__rolloutscopeErrors = [];
    });
  });
});
