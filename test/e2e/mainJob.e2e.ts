import path from 'node:path';
import type { Frame } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { screenshot } from './harness/appearance';
import { policyViolations } from './harness/artefacts';
import { answer, choose, runCommand } from './harness/commands';
import { panelErrors, panelFrame } from './harness/panels';
import { ROLLOUTSCOPE_VSIX } from './harness/places';
import {
  PATIENCE,
  announced,
  eventsSoFar,
  modalText,
  openPanel,
  openViews,
  press,
  statusReads,
  viewRows,
  withRun,
} from './harness/rolloutscope';
import { useWorkbench } from './harness/session';

const AUTHOR = 'Ada Lovelace';

interface Row {
  readonly rollout: string;
  readonly ending: string;
  readonly fromNode: string;
  readonly use: string;
  readonly tokens: number;
}

/** Rows of the tree, as a person sees them. */
const rows = (tree: Frame): Promise<Row[]> =>
  tree.locator('[data-rollout]').evaluateAll((elements) =>
    elements.map((element) => ({
      rollout: element.getAttribute('data-rollout') ?? '',
      ending: element.getAttribute('data-ending') ?? '',
      fromNode: element.getAttribute('data-from-node') ?? '',
      use: element.getAttribute('data-use') ?? '',
      tokens: Number((element.querySelector('.tree-end')?.textContent ?? '').replace(/,/g, '')),
    })),
  );

const tokensOf = (all: readonly Row[]): number => all.reduce((sum, { tokens }) => sum + tokens, 0);

/** A budgets table: prompt → its counts by the name of the column. */
const budgets = async (panel: Frame): Promise<Map<string, Record<string, number>>> => {
  const heads = await panel.locator('.bu-count-head .bu-sort > .rs-cut').allInnerTexts();
  const lines = await panel.locator('.rs-rows [role="row"][aria-selected]').evaluateAll((elements) =>
    elements.map((line) => ({
      prompt: line.querySelector('.bu-id')?.getAttribute('title') ?? '',
      counts: [...line.querySelectorAll(':scope > .bu-number')].map((cell) => Number(cell.textContent)),
    })),
  );
  return new Map(
    lines.map(({ prompt, counts }) => [
      prompt,
      Object.fromEntries(heads.map((head, i) => [head.trim(), counts[i] ?? NaN])),
    ]),
  );
};

/** C(n−c, k) / C(n, k) with whole numbers, apart from the product's own estimator. */
function combinations(n: bigint, k: bigint): bigint {
  let value = 1n;
  for (let i = 1n; i <= k; i++) value = (value * (n - k + i)) / i;
  return value;
}
function passAtK(n: number, c: number, k: number): number {
  if (n - c < k) return 1;
  const scale = 10n ** 15n;
  const miss = (combinations(BigInt(n - c), BigInt(k)) * scale) / combinations(BigInt(n), BigInt(k));
  return 1 - Number(miss) / 1e15;
}

interface Evaluation {
  readonly step: number;
  readonly problems: { readonly n: readonly number[]; readonly c: readonly number[] };
}

describe('the main job, end to end', () => {
  const session = useWorkbench(
    () => ({
      vsix: [ROLLOUTSCOPE_VSIX],
      settings: { 'rolloutscope.author': AUTHOR, 'workbench.colorTheme': 'Default Dark Modern' },
    }),
    { width: 1760, height: 1000 },
  );
  /** The prompt that is given more, and the node that is forked. */
  let steered = { prompt: '', node: '', at: 0, journal: '' };

  it('starts the sample run by command, attaches to it and shows its overview', async () => {
    const { page, workbench } = session();
    await runCommand(page, 'Rolloutscope: Start Sample Run');
    await statusReads(page, /Sample run · step \d+ · live/);
    const overview = await panelFrame(page, 'overview');
    await expect.poll(() => overview.locator('.rs-state').innerText(), PATIENCE).toMatch(/Live/);
    await expect.poll(() => overview.locator('.ov-cell').count()).toBe(6);
    steered = { ...steered, journal: announced(workbench)?.journal ?? '' };
    expect(steered.journal).not.toBe('');
  });

  it('draws the rollout tree while it grows', async () => {
    const { page } = session();
    const tree = await openPanel(page, 'rolloutTree');
    await expect.poll(() => rows(tree).then((all) => all.length), PATIENCE).toBeGreaterThan(0);
    // A group may be over: then another one is shown as soon as it runs.
    await expect
      .poll(async () => {
        const before = await rows(tree);
        await page.waitForTimeout(300);
        const after = await rows(tree);
        const same = after.filter(({ rollout }) => before.some((row) => row.rollout === rollout));
        return same.length === before.length && tokensOf(same) > tokensOf(before);
      }, PATIENCE)
      .toBe(true);
  });

  it('shows the text of a rollout with the entropy of each token', async () => {
    const { page } = session();
    const tree = await panelFrame(page, 'rolloutTree');
    await tree
      .locator('[data-rollout]')
      .first()
      .click({ position: { x: 60, y: 8 } });
    const piece = tree.locator('.tree-piece').first();
    await expect
      .poll(() => piece.locator('.tree-tokens').innerText(), PATIENCE)
      .toMatch(/Units: .*Answer: \d+/);
    await tree.locator('.tree-token').nth(1).click();
    const readout = tree.locator('.tree-readout');
    await expect.poll(() => readout.innerText()).toMatch(/entropy\s+\d*\.\d\d\s*nats/);
    expect(await readout.innerText()).toMatch(/log-prob\s+[−\d.]+/);
    await readout.locator('.tree-alternative').first().waitFor();
    await screenshot(page, 'main job, text of a rollout');
  });

  it('pauses between two tokens after it has named the effect, and then no token is produced', async () => {
    const { page, workbench } = session();
    await openViews(page);
    await runCommand(page, 'Rolloutscope: Pause…');
    await choose(page, 'Now');
    expect(await modalText(page)).toMatch(
      /Pause the run now, between two tokens\?[^]*\d+ running rollouts stand still[^]*Recorded as Ada Lovelace\./,
    );
    await press(page, 'Give a Reason…');
    await answer(page, 'to look at the forks');
    expect(await modalText(page)).toMatch(/Reason: to look at the forks\. Recorded as Ada Lovelace\./);
    await screenshot(page, 'main job, pause confirmation');
    await press(page, 'Pause');
    await statusReads(page, /paused by Ada Lovelace/);
    const tree = await panelFrame(page, 'rolloutTree');
    await expect
      .poll(() => tree.locator('.rs-state').innerText())
      .toMatch(/Paused by Ada Lovelace[^]*between two tokens/i);

    const look = () => withRun(workbench, (client) => client.initialize('read'));
    const [seen, before] = [await rows(tree), await look()];
    await page.waitForTimeout(2000);
    const [now, after] = [await rows(tree), await look()];
    expect(now).toEqual(seen);
    expect(after.headSeq).toBe(before.headSeq);
  });

  it('re-allocates a prompt while paused: asked for, previewed, confirmed', async () => {
    const { page, workbench } = session();
    const running = await withRun(workbench, async (client) => {
      const events = await eventsSoFar(client);
      const closed = new Set(
        events.filter(({ kind }) => kind === 'rolloutClosed').map(({ fields }) => fields['rollout']),
      );
      const open = events.find(
        ({ kind, fields }) => kind === 'rolloutOpened' && !closed.has(fields['rollout']),
      );
      return String(
        events.find(({ fields }) => fields['group'] === open?.fields['group'] && fields['prompt'])?.fields[
          'prompt'
        ],
      );
    });
    steered = { ...steered, prompt: running };
    await runCommand(page, 'Rolloutscope: Filter Prompts…');
    await answer(page, running);
    await viewRows(page, 'Prompts').filter({ hasText: running }).click();
    await runCommand(page, 'Rolloutscope: Re-allocate…');
    await choose(page, `prompt ${running}`);
    await choose(page, 'Set to a number');
    await answer(page, '11');
    await choose(page, 'Extra');
    const words = await modalText(page);
    expect(words).toContain(`Set the budget of prompt ${running} to 11 rollouts?`);
    expect(words).toMatch(/Rollouts \d+ → \d+ \(/);
    expect(words).toMatch(/Tokens [\d,.]+.? → [\d,.]+.? \(.*estimated\)/);
    expect(words).toMatch(/Step time .*estimated\)/);
    await press(page, 'Give a Reason…');
    await answer(page, 'too few to learn from');
    await press(page, /^Apply from Step \d+$/);
    await viewRows(page, 'Steering Record')
      .filter({ hasText: `${running}: set 11` })
      .waitFor();
  });

  it('forks a rollout at a token while paused', async () => {
    const { page } = session();
    const tree = await openPanel(page, 'rolloutTree');
    await expect.poll(() => tree.locator('.rs-header').innerText()).toContain(steered.prompt);
    await tree
      .locator('[data-rollout]')
      .first()
      .click({ position: { x: 60, y: 8 } });
    const piece = tree.locator('.tree-piece').first();
    await piece.waitFor();
    const node = (await piece.getAttribute('data-node')) ?? '';
    await tree.locator('.tree-token').nth(5).click();
    await page.keyboard.press('f');
    await answer(page, '3');
    await choose(page, 'Probe');
    await choose(page, 'As it is');
    expect(await modalText(page)).toMatch(
      new RegExp(
        `Fork 3 probes at position 5 of ${node}\\?[^]*Rollouts 0 → 3 \\(\\+3\\)[^]*never enter training`,
      ),
    );
    await press(page, 'Fork');
    steered = { ...steered, node, at: 5 };
    const probes = async () => (await rows(tree)).filter(({ use }) => use === 'probe');
    await expect
      .poll(async () => (await probes()).map(({ fromNode }) => fromNode), PATIENCE)
      .toEqual([node, node, node]);
    // Paused: launched, and not a token more than the shared beginning.
    expect((await probes()).map(({ ending, tokens }) => [ending, tokens])).toEqual(
      Array.from({ length: 3 }, () => ['running', 5]),
    );
  });

  it('resumes: the children grow under their parent, with the mark of a fork by a person', async () => {
    const { page } = session();
    await runCommand(page, 'Rolloutscope: Resume');
    expect(await modalText(page)).toMatch(/Resume the run\?/);
    await press(page, 'Resume');
    await statusReads(page, /live/);
    const tree = await panelFrame(page, 'rolloutTree');
    await expect
      .poll(
        async () =>
          (await rows(tree)).filter(({ use, ending }) => use === 'probe' && ending !== 'running').length,
        PATIENCE,
      )
      .toBe(3);
    const children = (await rows(tree)).filter(({ use }) => use === 'probe');
    expect(children.every(({ fromNode, tokens }) => fromNode === steered.node && tokens > steered.at)).toBe(
      true,
    );
    await tree.locator('.rs-legend', { hasText: 'by a person' }).waitFor();
    await tree.locator(`[data-rollout="${children[0]?.rollout ?? ''}"]`).click({ position: { x: 60, y: 8 } });
    const forked = tree.locator('.tree-piece', { has: tree.locator('.tree-fork-row') });
    await expect.poll(() => forked.first().innerText(), PATIENCE).toMatch(/forked/);
    expect(await tree.locator('.tree-piece').first().getAttribute('data-node')).toBe(steered.node);
    await screenshot(page, 'main job, fork by a person');
  });

  it('sees the next step’s budget follow, with the recorded decision', async () => {
    const { page } = session();
    const panel = await openPanel(page, 'budgets');
    await expect.poll(async () => (await budgets(panel)).get(steered.prompt)?.['planned'], PATIENCE).toBe(11);
    const why = panel.locator('.bu-why');
    await expect.poll(() => why.innerText(), PATIENCE).toContain(`set by ${AUTHOR}`);
    await screenshot(page, 'main job, budgets after re-allocation');
  });

  it('explains a budget that the method gave by the numbers it was made from', async () => {
    const { page, workbench } = session();
    const panel = await panelFrame(page, 'budgets');
    // The method needs results of the prompt; a person's pin has none.
    const other = async () =>
      [...(await budgets(panel)).keys()].find((prompt) => prompt !== steered.prompt) ?? '';
    const prompt = await other();
    await panel.locator(`.bu-id[title="${prompt}"]`).click();
    const why = panel.locator('.bu-why');
    await expect.poll(() => why.innerText(), PATIENCE).toMatch(/Knapsack-RL/);
    const recorded = await withRun(workbench, async (client) => {
      await client.initialize('read');
      const subject = { type: 'prompt', id: prompt } as const;
      return (await client.read('decisions', { subject, limit: 8 })).decisions;
    });
    const shown = await why.innerText();
    expect(recorded.filter(({ sentence }) => shown.includes(sentence)).map(({ kind }) => kind)).toContain(
      'allocate',
    );
    expect(await why.locator('.bu-pair').count()).toBeGreaterThan(2);
  });

  it('sorts the prompts by a column, both ways', async () => {
    const { page } = session();
    const panel = await panelFrame(page, 'budgets');
    const planned = async () => [...(await budgets(panel)).values()].map((row) => row['planned'] ?? NaN);
    const head = panel.locator('.bu-count-head .bu-sort', { hasText: 'planned' });
    await head.click();
    await expect.poll(async () => isSorted(await planned(), -1), PATIENCE).toBe(true);
    await head.click();
    await expect.poll(async () => isSorted(await planned(), 1), PATIENCE).toBe(true);
  });

  it('has all of it in the steering record, with author and reason, and takes one back', async () => {
    const { page } = session();
    const record = viewRows(page, 'Steering Record');
    const labels = await record.evaluateAll((elements) =>
      elements.map((one) => one.getAttribute('aria-label') ?? ''),
    );
    expect(labels).toHaveLength(4);
    expect(labels.every((label) => label.includes(`By ${AUTHOR}`))).toBe(true);
    expect(labels.join('\n')).toMatch(/Reason: too few to learn from[^]*Reason: to look at the forks/);
    await runCommand(page, 'Rolloutscope: Undo Steering');
    const set = page.locator('.quick-input-list .monaco-list-row', { hasText: `${steered.prompt}: set 11` });
    await set.click();
    expect(await modalText(page)).toMatch(/Undo “/);
    await press(page, /^(Undo|Apply from Step \d+)$/);
    const undone = record.filter({ hasText: `Taken back: From step` });
    await expect
      .poll(() => undone.allInnerTexts().then((all) => all.join('')), PATIENCE)
      .toContain(steered.prompt);
    await expect.poll(() => record.count(), PATIENCE).toBe(5);
  });

  it('has the pass@k that the evaluation’s own counts give, and none beyond n', async () => {
    const { page, workbench } = session();
    const panel = await openPanel(page, 'passAtK');
    await expect.poll(() => panel.locator('[data-row-step]').count(), PATIENCE).toBeGreaterThan(0);
    const evaluations = await withRun(workbench, async (client) =>
      (await eventsSoFar(client))
        .filter(({ kind }) => kind === 'evaluation')
        .map(({ fields }) => fields as unknown as Evaluation),
    );
    expect(evaluations.length).toBeGreaterThan(0);
    const table = await panel.locator('td[data-k]').evaluateAll((cells) =>
      cells.map((cell) => ({
        step: Number(cell.getAttribute('data-step')),
        k: Number(cell.getAttribute('data-k')),
        title: cell.getAttribute('title') ?? '',
      })),
    );
    for (const { step, k, title } of table) {
      const problems = evaluations.find((one) => one.step === step)?.problems;
      if (!problems) throw new Error(`The run has no evaluation of step ${step}.`);
      const { n, c } = problems;
      expect(Math.min(...n)).toBeGreaterThanOrEqual(k);
      const mean = n.reduce((sum, each, i) => sum + passAtK(each, c[i] ?? NaN, k), 0) / n.length;
      expect(Number(title), `pass@${k} of step ${step}`).toBeCloseTo(mean, 6);
    }
    // Of 64 samples nothing is said about 128: the table ends at n.
    expect(Math.max(...table.map(({ k }) => k))).toBe(64);
  });

  it('says that the run is lost when its process is killed, and keeps what it showed', async () => {
    const { page, workbench } = session();
    const panel = await panelFrame(page, 'passAtK');
    const before = await panel.locator('[data-row-step]').count();
    const { pid = 0 } = announced(workbench) ?? {};
    process.kill(pid, 'SIGKILL');
    await statusReads(page, /lost/);
    await expect.poll(() => panel.locator('.rs-banner').innerText(), PATIENCE).toMatch(/Connection lost at/);
    expect(await panel.locator('[data-row-step]').count()).toBe(before);
    await viewRows(page, 'Runs')
      .filter({ hasText: /Sample run.*lost/ })
      .waitFor();
    await screenshot(page, 'main job, lost');
  });

  it('comes back as the same run in its 2nd start', async () => {
    const { page, workbench } = session();
    const first = announced(workbench)?.run;
    await runCommand(page, 'Rolloutscope: Start Sample Run');
    await statusReads(page, /Sample run · step \d+ · live/);
    const panel = await panelFrame(page, 'passAtK');
    await expect.poll(() => panel.locator('.rs-header').innerText(), PATIENCE).toMatch(/2nd start/);
    await expect.poll(() => announced(workbench)?.incarnation, PATIENCE).toBe(2);
    expect(announced(workbench)?.run).toBe(first);
    const runs = viewRows(page, 'Runs').filter({ hasText: /Sample run/ });
    await expect.poll(() => runs.count(), PATIENCE).toBe(1);
  });

  it('goes on after the window is reloaded, with its panels', async () => {
    const { page } = session();
    // Not the page's own reload: this one lets the workbench write down first what is open.
    await Promise.all([page.waitForEvent('load'), runCommand(page, 'Developer: Reload Window')]);
    await page.locator('.monaco-workbench .statusbar').waitFor({ timeout: 60_000 });
    await statusReads(page, /Sample run · step \d+ · live/);
    const panel = await panelFrame(page, 'passAtK', 60_000);
    await expect.poll(() => panel.locator('.rs-state').innerText(), PATIENCE).toMatch(/Live/);
    // One that was hidden before sleeps until it is looked at; then it is there once.
    const table = await openPanel(page, 'budgets');
    await expect.poll(async () => (await budgets(table)).size, PATIENCE).toBeGreaterThan(0);
    const ours = page.locator('.tab', { hasText: /Overview|Tree|Budgets|pass@k/ });
    await expect.poll(() => ours.count(), PATIENCE).toBe(4);
  });

  it('is clean: no error in a panel, no refusal by a content policy', async () => {
    const { page } = session();
    for (const panel of ['overview', 'rolloutTree', 'budgets', 'passAtK'] as const) {
      await openPanel(page, panel);
      expect(await panelErrors(page)).toEqual([]);
    }
    expect(policyViolations(page)).toEqual([]);
  });

  it('opens what the run recorded once it is stopped: the same panels, without steering and with the reason', async () => {
    const { page } = session();
    await runCommand(page, 'Rolloutscope: Stop Sample Run');
    await statusReads(page, /lost|ended/);
    await runCommand(page, 'Rolloutscope: Open Recorded Run…');
    // The dialog looks the folder up while one types, and takes no answer meanwhile.
    const dialog = page.locator('.quick-input-widget', { hasText: 'Open Recorded Run' });
    await dialog.locator('input.input').fill(`${steered.journal}${path.sep}`);
    await dialog.locator('.quick-input-list', { hasText: 'incarnation-0002' }).waitFor();
    await expect
      .poll(async () => {
        const accept = dialog.getByRole('button', { name: 'Open Recorded Run' });
        if (await accept.isVisible()) await accept.click({ timeout: 2000 }).catch(() => undefined);
        return dialog.isVisible();
      }, PATIENCE)
      .toBe(false);
    await statusReads(page, /recorded · step \d+/);
    for (const [panel, holds] of [
      ['overview', '.ov-cell'],
      ['rolloutTree', '[data-rollout]'],
      ['budgets', '.rs-rows [role="row"][aria-selected]'],
      ['passAtK', '[data-row-step]'],
    ] as const) {
      const frame = await openPanel(page, panel);
      await expect.poll(() => frame.locator(holds).count(), PATIENCE).toBeGreaterThan(0);
      expect(await frame.locator('.rs-state').innerText()).toMatch(/Recorded/);
      expect(await frame.locator('.rs-banner').innerText()).toMatch(
        /Read from its journal\.[^]*steering needs a live run\./,
      );
      expect(await frame.getByRole('button', { name: /^(Pause|Fork|Stop|Give|Re-allocate)/ }).count()).toBe(
        0,
      );
    }
    // The last step was cut by the stop: the one before it is whole.
    const tree = await openPanel(page, 'rolloutTree');
    await tree.getByRole('button', { name: 'Previous step' }).click();
    await tree.locator('[data-ending="finished"]').first().waitFor();
    await tree
      .locator('[data-ending="finished"]')
      .first()
      .click({ position: { x: 60, y: 8 } });
    const text = tree.locator('.tree-piece .tree-tokens');
    await expect
      .poll(async () => (await text.allInnerTexts()).join(''), PATIENCE)
      .toMatch(/Units: .*Answer: /);
    await screenshot(page, 'main job, recorded run');
    expect(await viewRows(page, 'Steering Record').count()).toBe(5);
  });
});

const isSorted = (values: readonly number[], sign: 1 | -1): boolean =>
  values.length > 1 && values.every((value, i) => i === 0 || sign * (value - (values[i - 1] ?? value)) >= 0);
