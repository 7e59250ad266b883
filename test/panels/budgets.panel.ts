import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import type { BudgetsView } from '../../protocol/panels/budgets';
import { PageHost, picture, type OpenOptions } from './pageHost';

let host: PageHost;
let page: Page;
beforeAll(async () => {
  host = await PageHost.start(['budgets']);
});
afterAll(() => host.close());
afterEach(async () => {
  const errors = await page.evaluate(() => window.__rolloutscopeErrors ?? []);
  await page.context().close();
  expect(errors).toEqual([]);
});

const open = async (scenario: string, options?: OpenOptions): Promise<void> => {
  page = await host.open(scenario, options);
  await page.waitForFunction(() => window.fakeHost?.acks.length === 1);
};
/** What the page has asked for, once at least `n` requests have arrived. */
const commands = async (n: number) => {
  await page.waitForFunction((least) => (window.fakeHost?.commands.length ?? 0) >= least, n);
  return page.evaluate(() => window.fakeHost?.commands ?? []);
};
const grid = () => page.getByRole('grid', { name: /Prompts of step/ });
const ids = () => page.locator('.bu-id').allTextContents();
const filter = async (text: string): Promise<void> => {
  await page.locator('vscode-text-field').locator('input').fill(text);
};

/** Pixels of the picture that are not transparent, in the heat map's part of a row. */
const paintedAt = (row: number) =>
  page.evaluate((index) => {
    const canvas = document.querySelector<HTMLCanvasElement>('.bu-picture');
    const context = canvas?.getContext('2d');
    if (!context) return 0;
    const { data } = context.getImageData(100, index * 20, 300, 20);
    let painted = 0;
    for (let i = 3; i < data.length; i += 4) if ((data[i] ?? 0) > 0) painted++;
    return painted;
  }, row);

describe('the table of prompts', () => {
  it('is filtered while one types, says how many are left, and why nothing is', async () => {
    await open('budgets-live');
    await filter('n > 15 and pass rate < .2');
    await page.getByText(/^\d+ of 128 prompts$/).waitFor();
    const counts = await page.locator('.bu-id + * + * + *').allTextContents();
    expect(counts.length).toBeGreaterThan(3);
    expect(Math.min(...counts.map(Number))).toBeGreaterThan(15);
    await filter('n > 9000');
    await page.getByText('No prompt has n > 9000.').waitFor();
    await picture(page, 'budgets-nothing-dark-1400');
    await page.getByRole('button', { name: 'Clear filter' }).click();
    await page.getByText('128 of 128 prompts').waitFor();
    await filter('n >');
    await page.getByText(/“n >” is not a condition/).waitFor();
    expect((await ids()).length).toBeGreaterThan(20);
  });

  it('sorts by any column, both ways, and says so to a reader', async () => {
    await open('budgets-live');
    await page.getByRole('button', { name: 'prompt', exact: true }).click();
    const sorted = await ids();
    expect(sorted).toEqual([...sorted].sort(new Intl.Collator('en', { numeric: true }).compare));
    expect(await page.getByRole('columnheader', { name: 'prompt' }).getAttribute('aria-sort')).toBe(
      'ascending',
    );
    await page.getByRole('button', { name: 'prompt', exact: true }).click();
    expect(await page.getByRole('columnheader', { name: 'prompt' }).getAttribute('aria-sort')).toBe(
      'descending',
    );
    expect((await ids())[0]).not.toBe(sorted[0]);
  });

  it('keeps its order when numbers change, until a person sorts again', async () => {
    await open('budgets-live');
    const before = await ids();
    await page.evaluate(() =>
      window.fakeHost?.send((_view, data) => {
        const view = data as BudgetsView;
        const launched = view.prompts.launched.map((n, i) => (i === 100 ? 900 : n));
        return { ...view, prompts: { ...view.prompts, launched } };
      }),
    );
    await page.getByText('Order changed for 1 prompt.').waitFor();
    expect(await ids()).toEqual(before);
    await page.getByRole('button', { name: 'Sort again' }).click();
    await page.waitForFunction((first) => document.querySelector('.bu-id')?.textContent !== first, before[0]);
    expect(await page.getByText('Order changed').count()).toBe(0);
  });

  it('renders only what is in view of 10,000 prompts, and paints where it is scrolled to', async () => {
    await open('budgets-many');
    expect((await ids()).length).toBeLessThan(80);
    expect(await grid().getAttribute('aria-rowcount')).toBe('10001');
    await grid().focus();
    await page.keyboard.press('End');
    await page.waitForFunction(() => document.querySelector('[role="row"][aria-rowindex="10001"]') !== null);
    await page.waitForTimeout(100);
    expect(await paintedAt(10)).toBeGreaterThan(20);
    await picture(page, 'budgets-many-end-dark-1400');
  });

  it('paints with the colours of a theme that is changed under it', async () => {
    await open('budgets-live');
    const colour = () =>
      page.evaluate(() => {
        const context = document.querySelector<HTMLCanvasElement>('.bu-picture')?.getContext('2d');
        // The last step of the first row: the greatest count, step 6 of the scale.
        const { data } = context?.getImageData(401, 10, 1, 1) ?? { data: [] };
        return [...data].slice(0, 3).join(',');
      });
    expect(await colour()).toBe('195,176,245');
    await page.evaluate(() => {
      document.body.className = 'vscode-light';
    });
    await page.waitForTimeout(100);
    expect(await colour()).toBe('85,51,153');
  });

  it('has its numbers as text behind the key T', async () => {
    await open('budgets-live');
    await grid().focus();
    await page.keyboard.press('t');
    await page.getByRole('columnheader', { name: 'low, 95' }).waitFor();
    await picture(page, 'budgets-table-dark-1400');
    const first = await page.getByRole('row').nth(1).getByRole('gridcell').allTextContents();
    expect(first.at(-1)).toMatch(/^412: 19, \d+: \d+/);
  });

  it('remembers filter, sort and scope when the page is loaded anew', async () => {
    await open('budgets-live');
    await filter('poly');
    await page.getByRole('radio', { name: 'All' }).click();
    await page.getByRole('button', { name: 'prompt', exact: true }).click();
    await page.waitForTimeout(200);
    await page.reload();
    await page.waitForFunction(() => window.fakeHost?.acks.length === 1);
    expect(await page.getByRole('radio', { name: 'All' }).getAttribute('aria-checked')).toBe('true');
    expect(await page.locator('vscode-text-field').locator('input').inputValue()).toBe('poly');
    expect(await page.getByRole('columnheader', { name: 'prompt' }).getAttribute('aria-sort')).toBe(
      'ascending',
    );
    expect((await ids()).every((id) => id.includes('poly'))).toBe(true);
  });
});

describe('the why card', () => {
  it('tells of the chosen prompt what was recorded, with the numbers put in', async () => {
    await open('budgets-live');
    await filter('n = 13');
    await page.getByText(/^\d+ of 128 prompts$/).waitFor();
    await grid().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Why 13?' }).waitFor();
    const selected = await page.evaluate(() => window.fakeHost?.selections[0]);
    const card = page.getByRole('region', { name: 'Why this budget' });
    await card.getByText(String(selected?.prompt)).waitFor();
    expect(await card.textContent()).toContain('13 rollouts: the 13th gains');
    expect(await card.getByRole('img').getAttribute('aria-label')).toContain('13 given');
    expect(await card.textContent()).toMatch(/13th .* ≥ .*given/);
    expect(await card.textContent()).toContain('arXiv 2509.25849');
    await card.getByRole('button', { name: 'Give rollouts…' }).click();
    await card.getByRole('button', { name: 'Pin…' }).click();
    await card.getByRole('button', { name: 'Skip…' }).click();
    const subjects = [{ type: 'prompt', id: selected?.prompt }];
    expect(await commands(3)).toEqual([
      { id: 'allocate', subjects },
      { id: 'allocate', subjects, set: 13 },
      { id: 'skip', prompts: [selected?.prompt] },
    ]);
  });

  it('copies the whole decision as JSON', async () => {
    await open('budgets-recorded');
    expect(await page.getByRole('button', { name: 'Give rollouts…' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Re-allocate…' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Decision as JSON' }).click();
    const [copy] = await commands(1);
    expect(copy?.id).toBe('copy');
    const json: unknown = copy?.id === 'copy' ? JSON.parse(copy.text) : null;
    expect(json).toMatchObject({ decision: 'd-412', method: 'knapsack-rl-published' });
  });

  it('says that nothing was recorded instead of guessing', async () => {
    await open('budgets-one');
    await page.getByText('The job recorded no decision for this prompt.').waitFor();
    expect(await page.getByRole('button', { name: 'Decision as JSON' }).count()).toBe(0);
  });

  it('is a drawer in medium panels and stands below in narrow ones', async () => {
    await open('budgets-live', { width: 1000 });
    const card = page.getByRole('region', { name: 'Why this budget' });
    expect(await card.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Why this budget' }).click();
    expect(await card.isVisible()).toBe(true);
    await picture(page, 'budgets-drawer-dark-1000');
    await page.getByRole('button', { name: 'Give rollouts…' }).focus();
    await page.keyboard.press('Escape');
    expect(await card.isVisible()).toBe(false);
    await page.setViewportSize({ width: 700, height: 900 });
    await card.waitFor({ state: 'visible' });
    const [table, below] = [await grid().boundingBox(), await card.boundingBox()];
    expect((below?.y ?? 0) >= (table?.y ?? 0) + (table?.height ?? 0)).toBe(true);
  });
});

describe('the ledger', () => {
  it('adds up in words and in its bar', async () => {
    await open('budgets-live');
    const text = (await page.locator('.bu-ledger').textContent()) ?? '';
    const sum = /1,024 launched = (\d+) running \+ (\d+) finished \+ (\d+) discarded \+ (\d+) killed/.exec(
      text,
    );
    expect(sum?.slice(1).reduce((total, n) => total + Number(n), 0)).toBe(1024);
    expect(text).toContain('adds up, recounted at seq 1,204,881');
    const widths = await page
      .locator('.bu-part')
      .evaluateAll((parts) => parts.map((part) => part.clientWidth));
    expect(widths).toHaveLength(5);
    expect(widths[0]).toBeGreaterThan(widths[1] ?? 0);
  });
});
