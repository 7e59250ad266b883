import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { JournalReader } from '../../run-store/journal/journalReader';
import { loadJournal } from '../../run-store/journal/loadJournal';
import { viewOf } from '../../run-store/queries/answer';
import { RunStore } from '../../run-store/runStore';
import { JobHarness, type HarnessOptions } from '../../sample-run/job/jobHarness';
import { JournalWriter, openJournalFolder } from '../../sample-run/server/journalWriter';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sample-journal-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const RUN = { id: 'test-run', name: 'Test run', startedAt: 0 };
const BRANCHING = { method: 'datpo', parameters: { rootRollouts: 2 } };

/** One start of the run, written into the journal; small segments, so that there are several. */
async function startIn(options: HarnessOptions): Promise<{ harness: JobHarness; end: () => Promise<void> }> {
  const { nextIncarnation: number } = await openJournalFolder(folder, RUN);
  const harness = new JobHarness({ ...options, incarnation: number });
  const stopped: string[] = [];
  const journal = new JournalWriter({
    folder,
    context: {
      incarnation: { number, id: `test-run.${number}`, startedAt: 1000 * number },
      successThreshold: 1,
      sampling: { temperature: 1 },
    },
    segmentBytes: 40_000,
    onStopped: (reason) => stopped.push(reason),
  });
  harness.publisher.attach(journal);
  const running = harness.job.run();
  return {
    harness,
    end: async () => {
      harness.job.stop();
      await running;
      harness.publisher.flush();
      await journal.close();
      expect(stopped).toEqual([]);
    },
  };
}

describe('a journal of the sample run', () => {
  it('is read by the run store as what happened, over two starts, with the ledger in order', async () => {
    const settings = { steps: 6, groupSize: 6, branching: BRANCHING, evaluateSamples: 2, evaluateEvery: 2 };
    const first = await startIn({ settings });
    const { harness } = first;
    const rollout = await harness.runningNode(4);
    harness.steer('fork', { commandId: 'probe', node: rollout.node.id, at: 2, n: 3, use: 'probe' });
    harness.steer('fork', { commandId: 'train', node: rollout.node.id, at: 1, n: 2, use: 'train' });
    const victim = await harness.until(
      () => [...harness.job.state.runner.running].find(({ group }) => group !== rollout.group),
      'a rollout of another group',
    );
    harness.steer('stop', { commandId: 'stop', subject: { type: 'rollout', id: victim.id } });
    harness.steer('allocate', {
      commandId: 'more',
      subjects: [{ type: 'group', id: rollout.group.id }],
      rollouts: { add: 2 },
      charge: 'extra',
    });
    await harness.until(() => harness.of('stepClosed').length === 3, 'three steps');
    await harness.runningNode();
    await first.end();
    const second = await startIn({ settings, control: harness.control, checkpoint: harness.checkpoint });
    await second.harness.until(() => second.harness.of('stepClosed').length === 2, 'two more steps');
    await second.end();

    const reader = await JournalReader.open(folder);
    const store = new RunStore();
    await loadJournal(reader, store);
    expect(reader.problems).toEqual([]);
    expect(store.incarnations.map(({ start }) => start.number)).toEqual([1, 2]);

    const steps = viewOf(store, 'steps', { limit: 100 })!;
    // Step 4 was begun twice.
    expect(steps.rows.filter(({ open }) => !open).map(({ step }) => step)).toEqual([5, 4, 4, 3, 2, 1]);
    expect(steps.evaluations.map(({ step }) => step).sort()).toEqual([0, 2, 4]);
    for (const { step } of steps.rows) {
      const view = viewOf(store, 'overview', { step })!;
      expect(view.ledger.mismatches, `step ${step}`).toEqual([]);
      expect(view.ledger.planned).toBe(view.ledger.launched + view.ledger.neverLaunched);
    }
    const ledger = viewOf(store, 'overview', { step: 1 })!.ledger;
    expect(ledger.outside.probes).toBe(3);
    expect(ledger.killedBy).toEqual({ person: 1 });

    const tree = viewOf(store, 'tree', { group: rollout.group.id, prompt: null, step: null, rule: null })!;
    const parent = tree.nodes.id.indexOf(rollout.node.id);
    const children = tree.nodes.id.flatMap((_, i) =>
      tree.nodes.parent[i] === parent ? [tree.nodes.at[i]] : [],
    );
    expect(children.filter((at) => at === 2).length).toBeGreaterThanOrEqual(3);
    expect(children.filter((at) => at === 1).length).toBeGreaterThanOrEqual(2);
    expect(tree.forks.some(({ by, author }) => by === 'person' && author === 'ada')).toBe(true);

    const record = viewOf(store, 'steering', { limit: 100 })!;
    const commands = record.rows.map(({ command, state }) => [command, state]);
    expect(commands).toEqual(
      expect.arrayContaining(['probe', 'train', 'stop', 'more'].map((c) => [c, 'applied'])),
    );

    const budgets = viewOf(store, 'budgets', {
      step: 2,
      range: null,
      measure: 'launched',
      history: 10,
      until: 'subject',
    })!;
    expect(budgets.method).toBe('uniform');
    expect([...budgets.prompts.planned].filter((count) => count > 0)).toEqual([6, 6, 6]);
  });
});
