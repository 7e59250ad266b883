import { describe, expect, it } from 'vitest';
import { checkTree } from '../../methods/credit/credit';
import { creditGroup } from './creditStage';
import { JobHarness } from './jobHarness';
import { methodIds } from './methodTable';
import { ancestors, isFinished, type GroupRecord } from './records';
import { groupTree, rolloutsThrough } from './rewardTree';

/** Groups with forks of forks: by the rule, and by a person; two rollouts of each stopped; rewards as given. */
async function groups(): Promise<{ harness: JobHarness; groups: GroupRecord[] }> {
  const branching = { method: 'treerl', parameters: { roots: 2, forksPerTree: 2, rounds: 2 } };
  const harness = new JobHarness({ settings: { steps: 1, groupSize: 14, branching, slots: 20 } });
  const running = harness.job.run();
  const rollout = await harness.runningNode(4);
  harness.steer('fork', { node: rollout.node.id, at: 0, n: 2, use: 'train', baseline: true });
  harness.steer('fork', { node: rollout.node.id, at: rollout.node.tokens.length, n: 2, use: 'train' });
  harness.steer('fork', { node: rollout.node.id, at: 2, n: 1, use: 'probe' });
  harness.steer('stop', { subject: { type: 'rollout', id: rollout.id } });
  await running;
  const all = [...harness.job.state.memory.groups.values()];
  all.forEach((group) =>
    group.rollouts.forEach((each, i) => {
      if (each.verdict) each.verdict = { ...each.verdict, reward: i % 3 === 0 ? 1 : 0 };
    }),
  );
  return { harness, groups: all };
}

describe('the tree of a group', () => {
  it('holds every finished rollout’s path once, cut at the attachments, in the shape that rules take', async () => {
    const made = await groups();
    expect(made.groups.some((group) => group.rollouts.some(({ node }) => node.parent?.parent))).toBe(true);
    for (const group of made.groups) {
      const { tree, blocks, rollouts } = groupTree(group, () => true);
      checkTree(tree);
      expect(new Set(rollouts)).toEqual(new Set(group.rollouts.filter(isFinished)));
      rollouts.forEach((rollout, i) => {
        const path: string[] = [];
        for (let b = tree.leaves[i]!; b >= 0; b = tree.parents[b]!) {
          const { node, from, to } = blocks[b]!;
          for (let t = to - 1; t >= from; t--) path.unshift(`${node.id} ${t}`);
        }
        const nodes = ancestors(rollout.node);
        const expected = nodes.flatMap((node, k) =>
          Array.from({ length: nodes[k + 1]?.at ?? node.tokens.length }, (_, t) => `${node.id} ${t}`),
        );
        expect(path).toEqual(expected);
      });
      expect(
        rolloutsThrough(tree)
          .filter((_, b) => tree.parents[b] === -1)
          .reduce((a, b) => a + b, 0),
      ).toBe(rollouts.length);
    }
  });

  it.each(methodIds().credit)(
    'credited by %s, trains every own sampled token, of its own node alone',
    async (method) => {
      const made = await groups();
      for (const group of made.groups) {
        const batch = creditGroup(group, { method, parameters: {} }, made.harness.publisher);
        const finished = group.rollouts.filter(isFinished);
        expect(batch).toHaveLength(finished.length);
        batch.forEach((trained, i) => {
          const rollout = finished[i]!;
          const own = rollout.node.tokens;
          const before = rollout.prefix.length;
          expect(trained.tokens.length).toBe(trained.promptLength + before + own.length);
          for (let t = 0; t < before + own.length; t++) {
            const weight = trained.weights![t]!;
            if (t < before) expect(weight).toBe(0);
            else expect(weight > 0).toBe(own.sampled[t - before] === 1);
            expect(trained.logProbs[t]).toBeLessThanOrEqual(0);
          }
        });
      }
    },
  );

  it('rollouts outside the baseline do not move the others’ advantages', async () => {
    const { harness, groups: made } = await groups();
    const group = made.find(({ rollouts }) =>
      rollouts.some(({ use, baseline }) => use === 'train' && !baseline),
    )!;
    const credits = (): unknown[] => {
      const from = harness.events.length;
      creditGroup(group, { method: 'grpo', parameters: {} }, harness.publisher);
      return harness.events
        .slice(from)
        .filter((e) => e.kind === 'credit' && e.fields['rollout'] !== undefined)
        .map((e) => [e.fields['rollout'], e.fields['advantage']]);
    };
    const outside = group.rollouts.filter(({ use, baseline }) => use === 'train' && !baseline);
    const before = new Map(credits() as [string, number][]);
    for (const rollout of outside) if (rollout.verdict) rollout.verdict = { ...rollout.verdict, reward: 1 };
    const after = new Map(credits() as [string, number][]);
    for (const [id, advantage] of before) {
      if (!outside.some((rollout) => rollout.id === id)) expect(after.get(id)).toBe(advantage);
    }
    expect(outside.some(({ id }) => after.has(id))).toBe(true);
  });
});
