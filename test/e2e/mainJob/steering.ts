import { expect, it } from 'vitest';
import { screenshot } from '../harness/appearance';
import { answer, choose, runCommand } from '../harness/commands';
import { panelFrame } from '../harness/panels';
import {
  eventsSoFar,
  modalText,
  openPanel,
  openViews,
  PATIENCE,
  press,
  statusReads,
  viewRows,
  withRun,
} from '../harness/rolloutscope';
import { treeRows } from '../harness/treeRows';
import type { Story } from './story';

/** Pauses, gives a prompt more, forks, resumes. */
export function steersTheRun(story: Story): void {
  it('pauses between two tokens after it has named the effect, and then no token is produced', async () => {
    const { page, workbench } = story.session();
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
    const [seen, before] = [await treeRows(tree), await look()];
    await page.waitForTimeout(2000);
    const [now, after] = [await treeRows(tree), await look()];
    expect(now).toEqual(seen);
    expect(after.headSeq).toBe(before.headSeq);
  });

  it('re-allocates a prompt while paused: asked for, previewed, confirmed', async () => {
    const { page, workbench } = story.session();
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
    story.prompt = running;
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
    const { page } = story.session();
    const tree = await openPanel(page, 'rolloutTree');
    await expect.poll(() => tree.locator('.rs-header').innerText()).toContain(story.prompt);
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
    story.node = node;
    story.at = 5;
    const probes = async () => (await treeRows(tree)).filter(({ use }) => use === 'probe');
    await expect
      .poll(async () => (await probes()).map(({ fromNode }) => fromNode), PATIENCE)
      .toEqual([node, node, node]);
    // Paused: launched, and not a token more than the shared beginning.
    expect((await probes()).map(({ ending, tokens }) => [ending, tokens])).toEqual(
      Array.from({ length: 3 }, () => ['running', 5]),
    );
  });

  it('resumes: the children grow under their parent, with the mark of a fork by a person', async () => {
    const { page } = story.session();
    await runCommand(page, 'Rolloutscope: Resume');
    expect(await modalText(page)).toMatch(/Resume the run\?/);
    await press(page, 'Resume');
    await statusReads(page, /live/);
    const tree = await panelFrame(page, 'rolloutTree');
    await expect
      .poll(
        async () =>
          (await treeRows(tree)).filter(({ use, ending }) => use === 'probe' && ending !== 'running').length,
        PATIENCE,
      )
      .toBe(3);
    const children = (await treeRows(tree)).filter(({ use }) => use === 'probe');
    expect(children.every(({ fromNode, tokens }) => fromNode === story.node && tokens > story.at)).toBe(true);
    await tree.locator('.rs-legend', { hasText: 'by a person' }).waitFor();
    await tree.locator(`[data-rollout="${children[0]?.rollout ?? ''}"]`).click({ position: { x: 60, y: 8 } });
    const forked = tree.locator('.tree-piece', { has: tree.locator('.tree-fork-row') });
    await expect.poll(() => forked.first().innerText(), PATIENCE).toMatch(/forked/);
    expect(await tree.locator('.tree-piece').first().getAttribute('data-node')).toBe(story.node);
    await screenshot(page, 'main job, fork by a person');
  });
}
