import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { NEWEST_CURVES, type PassAtKParams, type PassAtKView } from '../../protocol/panels/passAtK';
import { PASSK, type PasskName } from './fixtures/passAtKViews';
import { accessibilityProblems, PageHost, type OpenOptions } from './pageHost';

let host: PageHost;
beforeAll(async () => {
  host = await PageHost.start(['passAtK']);
});
afterAll(() => host.close());

const opened: Page[] = [];
const open = async (scenario: string, options: OpenOptions = {}): Promise<Page> => {
  const page = await host.open(scenario, options);
  opened.push(page);
  return page;
};
/** Opens a scenario with what a person chose in an earlier life of the page. */
const openWith = async (
  scenario: string,
  ui: Readonly<Record<string, unknown>>,
  options: OpenOptions = {},
): Promise<Page> => {
  const page = await open(scenario, options);
  const state = {
    ui: Object.fromEntries(Object.entries(ui).map(([key, value]) => [key, { version: 1, value }])),
  };
  await page.evaluate((saved) => sessionStorage.setItem('fake-host-state', JSON.stringify(saved)), state);
  await page.reload();
  await page.waitForSelector('#app .rs-panel');
  return page;
};
afterEach(async () => {
  for (const page of opened.splice(0)) await page.context().close();
});

const viewOf = (name: PasskName, params: Partial<PassAtKParams> = {}): PassAtKView => {
  const view = PASSK[name]({ ...NEWEST_CURVES, ...params });
  if (!view) throw new Error(`${name} shows nothing`);
  return view;
};
const curve = (view: PassAtKView, key: string) => {
  const found = view.curves.find((each) => each.key === key);
  if (!found) throw new Error(`no curve ${key}`);
  return found;
};
const commands = (page: Page) => page.evaluate(() => window.fakeHost?.commands ?? []);
const cell = (page: Page, step: string | number, k: number) =>
  page.locator(`td[data-step="${step}"][data-k="${k}"]`);
const written = (p: number): string => p.toFixed(3).replace(/^0/, '');
const note = (page: Page, code: string) => page.locator(`[data-note="${code}"]`);

/** Answers of the fake host to commands are at once; the command itself comes in a task of its own. */
const saved = async (page: Page) => {
  await page.waitForFunction(() => (window.fakeHost?.commands.length ?? 0) > 0);
  const command = (await commands(page)).at(-1);
  if (command?.id !== 'save') throw new Error('nothing was saved');
  return command;
};
const exportAs = async (page: Page, kind: string) => {
  await page.locator('vscode-button', { hasText: 'Export' }).click();
  await page.getByRole('menuitem', { name: kind }).click();
  return saved(page);
};
const choose = async (page: Page, label: string, option: string): Promise<void> => {
  const dropdown = page.locator(`vscode-dropdown[aria-label="${label}"]`);
  await dropdown.click();
  await dropdown.locator('vscode-option', { hasText: option }).first().click();
};
const asked = (page: Page, part: string) =>
  page.waitForFunction(
    (wanted) => window.fakeHost?.subscriptions.some(({ params }) => JSON.stringify(params).includes(wanted)),
    part,
  );

describe('pass@k', () => {
  it('shows each value of each step, exact in the title', async () => {
    const view = viewOf('full');
    const page = await open('passk-live');
    await cell(page, 0, 1).waitFor();
    for (const each of view.curves) {
      for (const [i, k] of view.k.entries()) {
        const value = each.value[i] ?? NaN;
        expect(await cell(page, each.key, k).getAttribute('title')).toBe(String(value));
        expect(await cell(page, each.key, k).textContent()).toBe(written(value));
      }
    }
    const strong = await page
      .locator('td[data-difference-k].rs-strong')
      .evaluateAll((cells) => cells.map((each) => Number(each.getAttribute('data-difference-k'))));
    expect(strong).toEqual(
      view.difference
        .filter(({ key, value, halfWidth }) => key === '400' && Math.abs(value) > halfWidth)
        .map(({ k }) => k),
    );
  });

  it('says what accuracy and coverage did, where the curves cross, and since when coverage is traded', async () => {
    const view = viewOf('full');
    const page = await open('passk-live');
    await page.locator('.pk-headline h2').waitFor();
    expect(await page.locator('.pk-headline h2').textContent()).toBe('Accuracy rises, coverage shrinks');
    expect(await page.locator('svg.pk-chart').textContent()).toContain(
      `the curves cross at k ≈ ${Math.round(curve(view, '400').crossing ?? NaN)}`,
    );
    const crossing = await page
      .locator('[data-crossing-step]')
      .evaluateAll((marks) => marks.map((mark) => mark.getAttribute('data-crossing-step')));
    expect(crossing).toEqual(view.curves.filter((each) => each.crossing !== null).map(({ key }) => key));
    const traded = view.curves
      .map(({ key }) => key)
      .filter((key) => {
        const at = (k: number) => view.difference.find((each) => each.key === key && each.k === k);
        const [one, many] = [at(1), at(view.largestK)];
        return one && many && one.value > one.halfWidth && many.value < -many.halfWidth;
      });
    expect(await page.locator('.pk-trade').textContent()).toContain(
      `From step ${traded[0] ?? ''} on pass@1 is higher and pass@128 lower than at step 0`,
    );
  });

  it('draws what is extrapolated apart, says so, and leaves it out on request', async () => {
    const page = await open('passk-live');
    const ground = page.locator('svg.pk-chart > g[data-extrapolated]');
    await ground.waitFor();
    expect(await ground.textContent()).toBe('extrapolated');
    expect(await page.locator('path[data-extrapolated]').count()).toBe(5);
    await page.locator('vscode-checkbox', { hasText: 'Extrapolate' }).click();
    await expect.poll(() => page.locator('[data-extrapolated]').count()).toBe(0);
  });

  it('stands on one set of prompts, says which, and takes another on request', async () => {
    const page = await open('passk-uneven');
    await cell(page, 400, 32).waitFor();
    const chart = page.locator('svg.pk-chart');
    expect(await chart.textContent()).toContain('48 of 60 prompts, the same at every k to 32; 12 left out');
    expect(await note(page, 'unequalN').textContent()).toContain(
      '12 of 60 prompts have fewer than 32 samples',
    );
    await choose(page, 'Prompts under the curves', '60 prompts with n ≥ 16');
    await asked(page, '"upTo":16');
    await page.locator('svg.pk-chart', { hasText: '60 prompts, the same at every k to 16' }).waitFor();
    expect(await cell(page, 400, 32).count()).toBe(0);
    expect(await note(page, 'unequalN').count()).toBe(0);
  });

  it('asks for the curves that a person chose', async () => {
    const page = await open('passk-live');
    await page.locator('.pk-headline h2').waitFor();
    await choose(page, 'Compared with', 'Against step 200');
    await asked(page, '"against":"200"');
    await page.locator('svg.pk-chart', { hasText: 'step 200' }).waitFor();
    await choose(page, 'One curve a …', 'Curve a difficulty');
    await asked(page, '"by":"difficulty"');
    await page.locator('[data-line="under 5 of 100"]').waitFor();
    expect(await page.locator('[data-line]').count()).toBe(4);
    expect(await page.locator('.pk-over').count()).toBe(0);
    await page.getByRole('radio', { name: 'Training groups' }).click();
    await asked(page, '"training"');
  });

  it('puts two open runs side by side over the prompts that both have', async () => {
    const page = await openWith('passk-runs', { passkCurve: 'run' });
    await page.locator('[data-row-step="recorded:/runs/uniform"]').waitFor();
    const [main, other] = [viewOf('full'), viewOf('other')];
    // n is 64 in the other run: both curves end there.
    expect(await cell(page, 'live:qwen3-4b-rlvr', 64).getAttribute('title')).toBe(
      String(curve(main, '400').value[main.k.indexOf(64)]),
    );
    expect(await cell(page, 'recorded:/runs/uniform', 64).getAttribute('title')).toBe(
      String(curve(other, '400').value[other.k.indexOf(64)]),
    );
    expect(await cell(page, 'live:qwen3-4b-rlvr', 128).count()).toBe(0);
    expect(await page.locator('.pk-headline h2').textContent()).toBe(
      'qwen3-4b-rlvr has higher accuracy, lower coverage',
    );
    await page.locator('vscode-checkbox', { hasText: 'uniform' }).click();
    await expect.poll(() => page.locator('[data-row-step]').count()).toBe(1);
  });

  it('tells of training groups how they were counted, and counts anew by a chosen threshold', async () => {
    const page = await openWith('passk-live', { passkSource: 'training' });
    await note(page, 'nonBinary').waitFor();
    await page.locator('.pk-notes button').click();
    expect(await note(page, 'treeAware').textContent()).toContain('in 1 of 26 groups');
    expect(await note(page, 'rootsOnly').textContent()).toContain('after the tokens that follow it');
    const before = viewOf('full', { source: 'training' });
    const after = viewOf('full', { source: 'training', threshold: 1 });
    expect(curve(after, '2').value[0]).toBeLessThan(curve(before, '2').value[0] ?? NaN);
    await page.locator('.pk-threshold input').fill('1');
    await page.waitForFunction(
      (wanted) => document.querySelector('td[data-step="2"][data-k="1"]')?.getAttribute('title') === wanted,
      String(curve(after, '2').value[0]),
    );
    expect(await note(page, 'threshold').textContent()).toContain('a total reward of 1 or more, chosen here');
  });

  it('saves every value as CSV, with what is extrapolated and what must be known', async () => {
    const view = viewOf('uneven');
    const page = await open('passk-uneven');
    await cell(page, 400, 1).waitFor();
    const command = await exportAs(page, 'CSV');
    expect(command.name).toBe('pass-at-k-held-out-step-400.csv');
    const [head = '', ...lines] = command.text.trimEnd().split('\r\n');
    expect(head).toContain('curve_a,curve,step,policy_version,k,how,pass_at_k,low_95,high_95');
    const at = head.split(',').indexOf('pass_at_k');
    const counted = lines.filter((line) => line.includes(',counted,'));
    expect(counted.map((line) => line.split(',')[at])).toEqual(
      view.curves.flatMap((each) => each.value.map(String)),
    );
    const modelled = lines.filter((line) => line.includes(',extrapolated,'));
    const expected = view.curves.flatMap((each) => each.extrapolated.slice(1));
    expect(modelled).toHaveLength(expected.length);
    // The browser's logarithm may differ in its last digits, and the fit with it.
    modelled.forEach((line, i) => expect(Number(line.split(',')[at])).toBeCloseTo(expected[i] ?? NaN, 6));
    expect(lines.every((line) => line.includes('12 of 60 prompts have fewer than 32 samples'))).toBe(true);
  });

  it('saves the chart as an SVG that stands alone, with its marks and caveats', async () => {
    const page = await open('passk-uneven', { theme: 'light' });
    await page.locator('svg.pk-chart circle').first().waitFor();
    const command = await exportAs(page, 'SVG');
    expect(command.name).toBe('pass-at-k-held-out-step-400.svg');
    expect(command.text).toMatch(/^<svg [^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
    expect(command.text).not.toMatch(/var\(|class=|style=/);
    const parsed = await page.evaluate((text) => {
      const file = new DOMParser().parseFromString(text, 'image/svg+xml');
      return {
        broken: file.querySelector('parsererror') !== null,
        ground: file.querySelector('rect')?.getAttribute('fill'),
        words: file.documentElement.textContent,
        crossing: file.querySelectorAll('[data-crossing]').length,
      };
    }, command.text);
    expect(parsed).toMatchObject({ broken: false, ground: 'rgb(255, 255, 255)', crossing: 1 });
    expect(parsed.words).toContain('the curves cross at k ≈');
    expect(parsed.words).toContain('extrapolated');
    expect(parsed.words).toContain('12 of 60 prompts have fewer than 32 samples');
  });

  it('saves the same as PNG', async () => {
    const page = await open('passk-live');
    await page.locator('svg.pk-chart circle').first().waitFor();
    const command = await exportAs(page, 'PNG');
    expect(command).toMatchObject({ name: 'pass-at-k-held-out-step-400.png', encoding: 'base64' });
    const size = await page.evaluate(async (base64) => {
      const image = new Image();
      image.src = `data:image/png;base64,${base64}`;
      await image.decode();
      return { width: image.width, chart: document.querySelector('svg.pk-chart')?.clientWidth };
    }, command.text);
    expect(size.width).toBe(2 * (size.chart ?? NaN));
  });

  it('reads value, interval, n, c and prompts at the k under the pointer', async () => {
    const view = viewOf('full');
    const page = await open('passk-live');
    const chart = page.locator('svg.pk-chart');
    await chart.locator('circle').first().waitFor();
    const disc = await chart.locator('[data-line="400"] circle').nth(3).boundingBox();
    await page.mouse.move((disc?.x ?? 0) + 3, (disc?.y ?? 0) + 20);
    const card = page.locator('[role="tooltip"]');
    await card.waitFor();
    const shown = curve(view, '400');
    const text = (await card.textContent()) ?? '';
    expect(text).toContain('k = 8');
    expect(text).toContain(written(shown.value[3] ?? NaN));
    const c = shown.correct.toLocaleString('en-US');
    expect(text).toContain(`n = 128 a prompt, c = ${c} of 30,720, 240 prompts`);
  });

  it('reads the same by the keyboard, over k and over the curves', async () => {
    const view = viewOf('full');
    const page = await open('passk-live');
    await page.locator('.pk-main-chart .pk-chart-box').focus();
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
    const readout = page.locator('.pk-main-chart .pk-readout');
    await expect.poll(() => readout.textContent()).toContain('k = 4 · step 400: ');
    expect(await readout.textContent()).toContain(written(curve(view, '400').value[2] ?? NaN));
    expect(await readout.textContent()).toMatch(/n = 128 a prompt, c = [\d,]+ of 30,720, 240 prompts$/);
    // Down: the next lower curve at k = 4.
    const lower = [...view.curves]
      .sort((a, b) => (b.value[2] ?? 0) - (a.value[2] ?? 0))
      .map(({ key }) => key);
    await page.keyboard.press('ArrowDown');
    const next = lower[lower.indexOf('400') + 1] ?? '';
    await expect.poll(() => readout.textContent()).toContain(`k = 4 · step ${next}: `);
    await page.keyboard.press('Escape');
    await expect.poll(() => readout.textContent()).toContain('Point at the chart');
    await page.keyboard.press('t');
    await page.getByRole('grid', { name: 'pass@k of every curve' }).waitFor();
  });

  it('walks the steps by the keyboard, and Enter shows one', async () => {
    const page = await open('passk-live');
    await page.locator('.pk-over .pk-chart-box').focus();
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    await expect
      .poll(() => page.locator('.pk-over .pk-readout').textContent())
      .toMatch(/^step 300 · pass@1 \+[\d.]+ ± [\d.]+ points · pass@128 −/);
    await page.keyboard.press('Enter');
    await asked(page, '"shown":"300"');
    await page.locator('tr.pk-shown[data-row-step="300"]').waitFor();
  });

  it('has every prompt on its row, sorted and by the keyboard, and hands its need to the re-allocate command', async () => {
    const page = await openWith('passk-live', { passkLayout: 'prompts', passkSource: 'training' });
    const { rows } = viewOf('full', { source: 'training', rows: true });
    if (!rows) throw new Error('no rows');
    await page.locator('[data-prompt]').first().waitFor();
    const number = (key: string) =>
      page
        .locator(`[data-prompt] [data-column="${key}"]`)
        .evaluateAll((cells) => cells.map((each) => Number(each.textContent)));
    await page.getByRole('button', { name: '.9 by' }).click();
    const needs = await number('nine');
    expect(needs).toEqual([...needs].sort((a, b) => b - a));
    expect(needs[0]).toBe(Math.max(...rows.needNine));
    await page.getByRole('grid', { name: 'Prompts' }).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const first = (await page.locator('[data-advice]').getAttribute('data-advice')) ?? '';
    const at = rows.prompt.indexOf(first);
    expect(rows.needNine[at]).toBe(needs[0]);
    await page.locator('[data-advice] vscode-button', { hasText: `Give ${needs[0] ?? ''} more…` }).click();
    await page.waitForFunction(() => (window.fakeHost?.commands.length ?? 0) > 0);
    expect((await commands(page)).at(-1)).toEqual({
      id: 'allocate',
      subjects: [{ type: 'prompt', id: first }],
      add: needs[0],
    });
    expect(await page.evaluate(() => window.fakeHost?.selections.at(-1))).toEqual({ prompt: first });
    // All that are worth it at once.
    const worth = rows.prompt.filter((_, i) => (rows.mixed[i] ?? 0) >= 0.5);
    await page.locator('.pk-advice vscode-button', { hasText: `to each of ${worth.length}` }).click();
    await page.waitForFunction(() => (window.fakeHost?.commands.length ?? 0) > 1);
    const all = (await commands(page)).at(-1);
    if (all?.id !== 'allocate') throw new Error('no allocation was asked for');
    expect(all.add).toBe(rows.adviceRollouts);
    expect(all.subjects.map(({ id }) => id).sort()).toEqual([...worth].sort());
  });

  it('draws of 10,000 prompts only the rows in view, and reaches the last', async () => {
    const page = await openWith('passk-many', { passkLayout: 'prompts' });
    await page.locator('[data-prompt]').first().waitFor();
    expect(await page.locator('[data-prompt]').count()).toBeLessThan(100);
    await page.getByRole('button', { name: 'prompt', exact: true }).click();
    await page.getByRole('grid', { name: 'Prompts' }).focus();
    await page.keyboard.press('End');
    await page.locator('[data-prompt="p-9999"]').waitFor();
    expect(await page.locator('.pk-advice').first().textContent()).toContain(
      'not trained on: their budgets cannot be changed',
    );
  });

  it('has words for every gap', async () => {
    const says = async (scenario: string, words: string): Promise<Page> => {
      const page = await open(scenario);
      await page.getByText(words).first().waitFor();
      return page;
    };
    await says('passk-single', 'Differences come with the next one.');
    await says('passk-noSamples', 'no prompt of it has a sample (n = 0): pass@k is undefined.');
    await says('passk-onePrompt', 'its band is the posterior of its success rate');
    await says('passk-allZero', 'No sample of 30 prompts is right');
    await says('passk-allOne', 'Every sample of 30 prompts is right');
    const apart = await says('passk-apart', 'It shares no prompt with step 0: they cannot be compared.');
    expect(await apart.locator('.pk-gain, .pk-loss').count()).toBe(0);
    expect(await apart.locator('td[data-difference-k]').count()).toBe(0);
    const none = await says('passk-none', 'No evaluation yet.');
    await none.locator('vscode-button', { hasText: 'Show training groups' }).click();
    await none.getByText('No training group has closed yet.').waitFor();
  });

  it.each(['dark', 'light', 'hc', 'hcLight'] as const)(
    'breaks no rule of accessibility with the prompts in %s',
    async (theme) => {
      for (const width of [1400, 700]) {
        const page = await openWith(
          'passk-live',
          { passkLayout: 'prompts', passkSource: 'training' },
          { theme, width },
        );
        await page.locator('[data-prompt]').first().click();
        await page.locator('[data-advice]').waitFor();
        expect(await accessibilityProblems(page)).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
      }
    },
  );
});
