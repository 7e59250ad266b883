import { describe, expect, it } from 'vitest';
import { allocationChoice, JobHarness, type Seen } from './jobHarness';
import { methodIds } from './methodTable';

const TIMES = new Set(['throughput', 'stepSeconds', 'slowestTenth']);

/** An event without what depends on the clock. */
const timeless = ({ kind, fields }: Seen): string => {
  const { seconds, ...rest } = fields;
  if (kind === 'metric' && TIMES.has(String(fields['name']))) return `metric ${String(fields['name'])}`;
  return `${kind} ${JSON.stringify(rest)} ${seconds === undefined ? '' : 'timed'}`;
};

const TREE = { branching: { method: 'datpo', parameters: { rootRollouts: 2 } } };

describe('a run that nobody steers', () => {
  it('does the same twice, event by event', async () => {
    const runs = [0, 1].map(() => new JobHarness({ settings: { ...TREE, evaluateSamples: 2, pace: 0 } }));
    for (const { job } of runs) await job.run();
    const [first, second] = runs.map(({ events }) => events.map(timeless));
    expect(first!.length).toBeGreaterThan(200);
    expect(second).toEqual(first);
  });

  it('does something else with another seed', async () => {
    const runs = [1, 2].map((seed) => new JobHarness({ settings: { seed, steps: 1 } }));
    for (const { job } of runs) await job.run();
    expect(runs[0]!.events.map(timeless)).not.toEqual(runs[1]!.events.map(timeless));
  });

  it('says of every step what it planned, opened, sampled, closed, and that it ended', async () => {
    const harness = new JobHarness({ settings: { ...TREE, evaluateSamples: 1 } });
    await harness.job.run();
    expect(harness.of('stepOpened').map((e) => e.fields['step'])).toEqual([1, 2, 3]);
    expect(harness.of('stepClosed').map((e) => e.fields['policyVersion'])).toEqual([1, 2, 3]);
    const phases = harness.of('stepPhase').filter((e) => e.fields['step'] === 2);
    expect(phases.map((e) => e.fields['phase'])).toEqual(['plan', 'generate', 'filter', 'train', 'sync']);
    expect(harness.of('evaluation').map((e) => e.fields['step'])).toEqual([0]);
    expect(harness.last('runState')?.fields['state']).toBe('ended');
    for (const name of [
      'throughput',
      'stepSeconds',
      'effectiveBatch',
      'zeroGradientGroups',
      'staleness',
      'slowestTenth',
    ]) {
      expect(
        harness.of('metric').filter((e) => e.fields['name'] === name && e.fields['step'] === 3).length,
      ).toBeGreaterThan(0);
    }
  });

  it('closes groups with counts that equal a recount of their rollouts, within their plan', async () => {
    const harness = new JobHarness({ settings: { ...TREE, promptsPerStep: 6, groupSize: 6 } });
    await harness.job.run();
    const groups = harness.of('groupClosed');
    expect(groups).toHaveLength(18);
    for (const { fields } of groups) {
      const opened = harness.of('rolloutOpened').filter((e) => e.fields['group'] === fields['group']);
      const ids = new Set(opened.map((e) => e.fields['rollout']));
      const closed = harness.of('rolloutClosed').filter((e) => ids.has(e.fields['rollout']));
      expect(opened.length).toBe(fields['launched']);
      expect(
        closed.filter((e) => ['finished', 'truncated'].includes(String(e.fields['ending']))).length,
      ).toBe(fields['finished']);
      const planned = harness.events.findLast(
        (e) =>
          (e.kind === 'groupOpened' || e.kind === 'groupPlanned') && e.fields['group'] === fields['group'],
      );
      expect(Number(planned?.fields['planned'])).toBeGreaterThanOrEqual(Number(fields['launched']));
    }
  });

  it('forks by the rule within the plan, each fork a decision with its numbers', async () => {
    const harness = new JobHarness({ settings: { ...TREE, steps: 1, groupSize: 6 } });
    await harness.job.run();
    const forks = harness.of('decision').filter((e) => e.fields['kind'] === 'fork');
    expect(forks.length).toBeGreaterThan(0);
    const children = harness.of('nodeOpened').filter((e) => e.fields['parent'] !== undefined);
    for (const fork of forks) {
      const body = fork.fields['body'] as Record<string, Record<string, unknown[]>>;
      const mine = children.filter((e) => e.fields['decision'] === fork.fields['decision']);
      expect(mine.length).toBe(body['outcome']!['children']![0]);
      expect(mine.every((e) => e.fields['at'] === body['inputs']!['at']![0])).toBe(true);
      expect(Number(body['numbers']!['entropy']![0])).toBeGreaterThan(0);
      expect(String(fork.fields['sentence'])).toMatch(/entropy/);
    }
    expect(harness.of('rolloutOpened').length).toBe(18);
  });

  it('publishes series that hold every token once, in order', async () => {
    const harness = new JobHarness({ settings: { ...TREE, steps: 1 } });
    await harness.job.run();
    for (const { fields } of harness.of('nodeClosed')) {
      const pieces = harness
        .of('nodeSeries')
        .filter((e) => e.fields['node'] === fields['node'] && e.fields['field'] === 'entropy');
      let next = 0;
      for (const piece of pieces) {
        expect(piece.fields['from']).toBe(next);
        next += (piece.fields['mean'] as number[]).length;
      }
      expect(next).toBe(Math.ceil(Number(fields['length']) / 8));
    }
  });

  it('updates a node at most four times a second of the run', async () => {
    const harness = new JobHarness({ settings: { steps: 1, pace: 50 } });
    await harness.job.run();
    const times = new Map<unknown, number[]>();
    for (const { fields, t } of harness.of('nodeUpdated')) {
      times.set(fields['node'], [...(times.get(fields['node']) ?? []), t]);
    }
    expect(times.size).toBeGreaterThan(0);
    for (const list of times.values()) {
      for (let i = 1; i < list.length; i++) expect(list[i]! - list[i - 1]!).toBeGreaterThanOrEqual(250);
    }
  });
});

describe('a restart', () => {
  it('from the checkpoint of a step goes on exactly as if nothing had happened', async () => {
    const settings = { ...TREE, steps: 4, pace: 0, evaluateEvery: 2, evaluateSamples: 2 };
    const whole = new JobHarness({ settings });
    await whole.job.run();
    const half = new JobHarness({ settings });
    const running = half.job.run();
    await half.until(() => half.checkpoint?.progress.step === 2, 'the checkpoint of step 2');
    const { checkpoint } = half;
    half.job.stop();
    await running;
    const again = new JobHarness({ settings, checkpoint });
    await again.job.run();
    const after = (harness: JobHarness): string[] => {
      const begin = harness.events.findIndex((e) => e.kind === 'stepOpened' && e.fields['step'] === 3);
      return harness.events
        .slice(begin)
        .filter((e) => e.kind !== 'finding')
        .map(timeless);
    };
    expect(after(again).length).toBeGreaterThan(50);
    expect(after(again)).toEqual(after(whole));
    expect(again.of('promptStatistics').length).toBeGreaterThan(0);
  });

  it('keeps a pause, the budgets and the record of requests', async () => {
    const first = new JobHarness({ settings: { steps: 5 } });
    const running = first.job.run();
    await first.runningNode();
    const prompt = String(first.of('groupOpened')[0]!.fields['prompt']);
    first.steer('allocate', {
      commandId: 'pin',
      subjects: [{ type: 'prompt', id: prompt }],
      rollouts: { set: 7 },
      charge: 'extra',
    });
    first.steer('pause', { commandId: 'stop here', target: { type: 'run' }, mode: 'now', reason: 'lunch' });
    first.job.stop();
    await running;
    const second = new JobHarness({
      settings: { steps: 5 },
      control: first.control,
      checkpoint: first.checkpoint,
      incarnation: 2,
    });
    const goesOn = second.job.run();
    await second.turns();
    expect(second.last('runState')?.fields).toMatchObject({
      state: 'paused',
      mode: 'now',
      by: 'ada',
      reason: 'lunch',
    });
    expect(second.of('stepOpened')).toHaveLength(0);
    expect(
      second.steer('pause', { commandId: 'stop here', target: { type: 'run' }, mode: 'now' }).changed,
    ).toBe(false);
    second.steer('resume', { target: { type: 'run' } });
    const opened = await second.until(
      () => second.of('groupOpened').find((e) => e.fields['prompt'] === prompt && e.fields['step'] === 2),
      'its group',
    );
    expect(opened.fields['planned']).toBe(7);
    expect(String(opened.fields['group'])).toMatch(/^i2\./);
    second.job.stop();
    await goesOn;
  });
});

describe('every method that the run offers', () => {
  const offered = methodIds();
  it.each(offered.allocation)('allocation %s carries a run', async (method) => {
    const harness = new JobHarness({
      settings: {
        steps: 2,
        pace: 0,
        promptsPerStep: 8,
        groupSize: 8,
        slots: 64,
        allocation: allocationChoice(method, { promptsPerStep: 8, groupSize: 8 }),
      },
    });
    await harness.job.run();
    expect(harness.of('stepClosed')).toHaveLength(2);
    const decisions = harness.of('decision').filter((e) => e.fields['kind'] === 'allocate');
    // A rule that needs figures of an earlier step has none in the first.
    expect(decisions.map((e) => e.fields['method'])).toContain(method);
    expect(harness.of('rolloutOpened').length).toBeGreaterThan(16);
  });

  it.each(
    offered.branching.flatMap((branching) => offered.credit.map((credit) => [branching, credit] as const)),
  )('branching %s with credit %s carries a run', async (branching, credit) => {
    const harness = new JobHarness({
      settings: {
        steps: 1,
        pace: 0,
        groupSize: 8,
        slots: 64,
        branching: { method: branching, parameters: {} },
        credit: { method: credit, parameters: {} },
      },
    });
    await harness.job.run();
    expect(harness.of('stepClosed')).toHaveLength(1);
    expect(harness.of('groupClosed').every((e) => e.fields['launched'] === 8)).toBe(true);
  });
});
