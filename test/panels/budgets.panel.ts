import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import type { BudgetsParams, BudgetsView } from '../../protocol/panels/budgets';
import { accessibilityProblems, PageHost, picture, type OpenOptions } from './pageHost';

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
  await page.waitForFunction(() => (window.fakeHost?.acks.length ?? 0) >= 1);
};
/** What the page has asked for, once at least `n` requests have arrived. */
const commands = async (n: number) => {
  await page.waitForFunction((least) => (window.fakeHost?.commands.length ?? 0) >= least, n);
  return page.evaluate(() => window.fakeHost?.commands ?? []);
};
const grid = () => page.getByRole('grid', { name: /Prompts of/ });
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
    await filter('n > 15 rate < .2 status:gradient,no-gradient,open');
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
    await page.getByText(/n is compared with nothing/).waitFor();
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
      window.fakeHost?.send((name, data) => {
        if (name !== 'budgets') return data;
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
    /** Whether the first row, with the greatest count of all, has a cell of this colour: step 6 of the scale. */
    const has = (colour: string) =>
      page.evaluate((wanted) => {
        const context = document.querySelector<HTMLCanvasElement>('.bu-picture')?.getContext('2d');
        const { data } = context?.getImageData(100, 10, 400, 1) ?? { data: [] };
        return Array.from({ length: 400 }, (_, i) => [...data.slice(i * 4, i * 4 + 3)].join(',')).includes(
          wanted,
        );
      }, colour);
    expect(await has('195,176,245')).toBe(true);
    await page.evaluate(() => {
      document.body.className = 'vscode-light';
    });
    await page.waitForTimeout(100);
    expect(await has('85,51,153')).toBe(true);
    expect(await has('195,176,245')).toBe(false);
  });

  it('has its numbers as text behind the key T', async () => {
    await open('budgets-live');
    await grid().focus();
    await page.keyboard.press('t');
    await page.getByRole('columnheader', { name: 'low, 95' }).waitFor();
    await picture(page, 'budgets-table-dark-1400');
    const first = await page.getByRole('row').nth(1).getByRole('gridcell').allTextContents();
    expect(first.at(-1)).toMatch(/^412: \d+, \d+: \d+/);
  });

  it('remembers filter, sort and scope when the page is loaded anew', async () => {
    await open('budgets-live');
    await filter('poly');
    await page.getByRole('radio', { name: 'Run', exact: true }).click();
    await page.getByRole('button', { name: 'prompt', exact: true }).click();
    await page.waitForTimeout(200);
    await page.reload();
    await page.waitForFunction(() => (window.fakeHost?.acks.length ?? 0) >= 1);
    expect(await page.getByRole('radio', { name: 'Run', exact: true }).getAttribute('aria-checked')).toBe(
      'true',
    );
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
    expect(selected?.step).toBe(412);
    await card.getByText(String(selected?.prompt)).waitFor();
    expect(await card.textContent()).toContain('13 rollouts: the 13th gains');
    expect(await card.getByRole('img').getAttribute('aria-label')).toContain('13 given');
    expect(await card.textContent()).toMatch(/13th .* ≥ .*given/);
    expect(await card.textContent()).toContain('arXiv 2509.25849');
    await card.getByRole('button', { name: 'Open the paper' }).click();
    expect(await commands(1)).toEqual([{ id: 'openSource', method: 'knapsack-rl-published', part: 'paper' }]);
    await card.getByRole('button', { name: 'Give rollouts…' }).click();
    await card.getByRole('button', { name: 'Pin…' }).click();
    await card.getByRole('button', { name: 'Skip…' }).click();
    const subjects = [{ type: 'prompt', id: selected?.prompt }];
    expect((await commands(4)).slice(1)).toEqual([
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

/** The subscriptions of a view that the page has made, newest last. */
const asked = (view: string) =>
  page.evaluate(
    (name) =>
      (window.fakeHost?.subscriptions ?? []).filter((each) => each.view === name).map(({ params }) => params),
    view,
  );
const radio = (name: string) => page.getByRole('radio', { name, exact: true });

describe('the subject', () => {
  it('is a step, a range of steps or the run; figures are asked for anew and named after it', async () => {
    await open('budgets-recorded');
    await radio('Range').click();
    await page.getByRole('heading', { name: 'Prompts of steps 403 to 412' }).waitFor();
    await page.getByRole('spinbutton', { name: /First step/ }).fill('400');
    await page.getByRole('spinbutton', { name: /First step/ }).press('Enter');
    await page.getByRole('heading', { name: 'Prompts of steps 400 to 412' }).waitFor();
    await picture(page, 'budgets-range-dark-1400');
    await radio('Run').click();
    await page.getByRole('heading', { name: /Prompts of the run/ }).waitFor();
    const ranges = (await asked('budgets')).map((params) => (params as BudgetsParams).range);
    expect(ranges).toEqual([null, { from: 403, to: 412 }, { from: 400, to: 412 }, { from: null, to: null }]);
    const [last] = (await asked('promptBudget')).slice(-1);
    expect(last).toMatchObject({ range: { from: null, to: null } });
    const ledger = page.getByRole('region', { name: /Ledger of the prompt in the run/ });
    expect(await ledger.textContent()).toMatch(/\d+ launched = /);
    await ledger.getByRole('button', { name: '405' }).click();
    await page.waitForFunction(() => (window.fakeHost?.selections.length ?? 0) > 0);
    expect(await page.evaluate(() => window.fakeHost?.selections.at(-1)?.step)).toBe(405);
  });
});

describe('the heat map', () => {
  const map = () => page.getByRole('grid', { name: /of each prompt by step/ });
  const cell = () => map().getByRole('gridcell').getAttribute('aria-label');

  it('is walked by the keyboard, says what each cell holds, and selects prompt and step', async () => {
    await open('budgets-live');
    await radio('Heat map').click();
    await map().focus();
    const first = await cell();
    expect(first).toMatch(/: \d+ rollouts in step 412$/);
    await page.keyboard.press('ArrowDown');
    expect(await cell()).not.toBe(first);
    await page.keyboard.press('ArrowLeft');
    expect(await cell()).toMatch(/step 411$/);
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => (window.fakeHost?.selections.length ?? 0) > 0);
    const selected = await page.evaluate(() => window.fakeHost?.selections.at(-1));
    expect(selected).toMatchObject({ step: 412 });
    expect(await cell()).toContain(String(selected?.prompt));
    await page.getByRole('region', { name: 'Why this budget' }).getByText(String(selected?.prompt)).waitFor();
  });

  it('zooms to rows with names and back to all of them, and paints what is there', async () => {
    await open('budgets-many');
    await radio('Heat map').click();
    const height = () => map().evaluate((element) => element.scrollHeight - element.clientHeight);
    expect(await height()).toBeLessThan(2);
    await picture(page, 'budgets-heat-all-dark-1400');
    await map().focus();
    for (let i = 0; i < 9; i++) await page.keyboard.press('+');
    expect(await height()).toBeGreaterThan(100_000);
    await page.waitForTimeout(60);
    await picture(page, 'budgets-heat-rows-dark-1400');
    await page.keyboard.press('0');
    await page.waitForTimeout(60);
    expect(await height()).toBeLessThan(2);
    const painted = await page.evaluate(() => {
      const canvas = document.querySelector<HTMLCanvasElement>('.bu-heat canvas');
      const { data } = canvas?.getContext('2d')?.getImageData(300, 100, 200, 200) ?? { data: [] };
      return new Set(Array.from({ length: 40_000 }, (_, i) => `${data[i * 4]},${data[i * 4 + 3]}`)).size;
    });
    expect(painted).toBeGreaterThan(3);
  });

  it('shows another measure when asked', async () => {
    await open('budgets-live');
    await radio('Heat map').click();
    await page.locator('vscode-dropdown').first().click();
    await page.getByRole('option', { name: 'Pass rate' }).click();
    await page.getByRole('grid', { name: /^Pass rate of each prompt by step/ }).waitFor();
    expect((await asked('budgets')).at(-1)).toMatchObject({ measure: 'passRate', until: 'newest' });
    expect(await cell()).toMatch(/pass rate [.\d]+ in step 412/);
  });
});

describe('the treemap', () => {
  const map = () => page.getByRole('listbox', { name: /of each prompt/ });
  const option = () => map().getByRole('option').getAttribute('aria-label');

  it('is walked by the keyboard from area to area and selects the prompt for all pictures', async () => {
    await open('budgets-live');
    await radio('Treemap').click();
    await map().focus();
    await page.keyboard.press('Home');
    const greatest = await option();
    expect(greatest).toMatch(/: [\d.,]+\s?k? tokens, [\d.]+\s% of all shown; Pass rate/);
    await page.keyboard.press('ArrowRight');
    expect(await option()).not.toBe(greatest);
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => (window.fakeHost?.selections.length ?? 0) > 0);
    const prompt = await page.evaluate(() => window.fakeHost?.selections.at(-1)?.prompt);
    expect(await option()).toContain(String(prompt));
    await radio('Table').click();
    await page.locator('.rs-chosen', { hasText: String(prompt) }).waitFor();
  });

  it('holds only what passes the filter', async () => {
    await open('budgets-live');
    await radio('Treemap').click();
    await filter('poly');
    await page.getByText(/^\d+ of 128 prompts$/).waitFor();
    await map().focus();
    await page.keyboard.press('Home');
    expect(await option()).toMatch(/^poly-/);
  });
});

describe('where the tokens went', () => {
  it('is one bar with its sum, and the zero-gradient groups beside what was to be expected', async () => {
    await open('budgets-live');
    const section = page.locator('.bu-ledger');
    expect(await section.textContent()).toMatch(
      /\d+ of \d+ closed groups gave no gradient, \d+\s%\. From the pass rates .* ± .* were to be expected/,
    );
    await radio('Tokens').click();
    const text = (await section.textContent()) ?? '';
    expect(text).toMatch(/tokens = .* used for a gradient \(\d+\s%\) \+ .* in zero-gradient groups/);
    const exact = (await section.locator('.rs-ledger-line .rs-cut').getAttribute('title')) ?? '';
    const [whole = 0, ...parts] = [...exact.matchAll(/[\d,]+(?= )/g)].map(([n]) =>
      Number(n.replaceAll(',', '')),
    );
    expect(parts.reduce((sum, n) => sum + n, 0)).toBe(whole);
    await picture(page, 'budgets-tokens-dark-1400');
  });
});

describe('bad input', () => {
  it('says which counts do not add up and shows the events behind them', async () => {
    await open('budgets-hostile');
    const mismatch = page.getByRole('list', { name: 'Counts that do not add up' });
    await mismatch.getByText(/40 launched, 39 found/).waitFor();
    await mismatch.getByRole('button', { name: 'Events' }).click();
    expect(await commands(1)).toEqual([{ id: 'showEvents', subjectType: 'group', subject: 'g-37' }]);
  });

  it('shows hostile ids, reasons and inputs as text in every picture, and marks a rate that cannot be', async () => {
    await open('budgets-hostile');
    const card = page.getByRole('region', { name: 'Why this budget' });
    await card.getByText('<img src=x onerror=alert(1)>').first().waitFor();
    await card.getByText('1.5').first().waitFor();
    expect(await card.locator('[title*="cannot be a rate"]').count()).toBeGreaterThan(0);
    expect(await card.getByRole('img', { name: /Gain of one more/ }).count()).toBe(0);
    for (const name of ['Heat map', 'Treemap', 'Table']) {
      await radio(name).click();
      await page.waitForTimeout(60);
      expect(await page.locator('#app img, #app script, #app iframe').count()).toBe(0);
      const problems = await accessibilityProblems(page);
      expect(problems, name).toEqual([]);
      await picture(page, `budgets-hostile-${name.replace(' ', '-').toLowerCase()}-dark-1400`);
    }
  });
});
