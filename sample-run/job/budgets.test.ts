import { afterEach, describe, expect, it } from 'vitest';
import { JobHarness, type HarnessOptions } from './jobHarness';

let running: { harness: JobHarness; done: Promise<void> }[] = [];

function start(options: HarnessOptions = {}): JobHarness {
  const harness = new JobHarness({ ...options, settings: { steps: 8, ...options.settings } });
  running.push({ harness, done: harness.job.run() });
  return harness;
}

afterEach(async () => {
  for (const { harness, done } of running) {
    harness.job.stop();
    await done;
  }
  running = [];
});

const plannedOf = (harness: JobHarness, step: number, prompt: string): unknown =>
  harness.of('groupOpened').find((e) => e.fields['step'] === step && e.fields['prompt'] === prompt)?.fields[
    'planned'
  ];

const total = (harness: JobHarness, step: number): unknown =>
  harness.of('stepOpened').find((e) => e.fields['step'] === step)?.fields['planned'];

const stepIsDone = (harness: JobHarness, step: number) =>
  harness.until(() => harness.of('stepClosed').length >= step, `the end of step ${step}`);

describe('a prompt’s budget', () => {
  it('set as extra: this many in every step, drawn first, the others as before, until it is cleared', async () => {
    const harness = start();
    const { group } = await harness.runningNode();
    const prompt = group.task.id;
    const subjects = [{ type: 'prompt' as const, id: prompt }];
    const answer = harness.steer('allocate', {
      commandId: 'a',
      subjects,
      rollouts: { set: 9 },
      charge: 'extra',
    });
    expect(answer).toMatchObject({ state: 'applied', fromStep: 2, rollouts: { before: 12, after: 17 } });
    await stepIsDone(harness, 3);
    expect([2, 3].map((step) => plannedOf(harness, step, prompt))).toEqual([9, 9]);
    expect([1, 2, 3].map((step) => total(harness, step))).toEqual([12, 17, 17]);
    const decision = harness.of('decision').find((e) => e.fields['command'] === 'a');
    expect(decision?.fields).toMatchObject({ kind: 'allocate', method: 'person', step: 2 });
    harness.steer('allocate', { subjects, rollouts: { clear: true }, charge: 'extra' });
    const next = harness.job.state.nextStep;
    await stepIsDone(harness, next);
    expect(total(harness, next)).toBe(12);
  });

  it('charged to the total: the step keeps it, and the answer says who loses', async () => {
    const harness = start();
    const { group } = await harness.runningNode();
    const subjects = [{ type: 'prompt' as const, id: group.task.id }];
    const answer = harness.steer('allocate', {
      subjects,
      rollouts: { set: 8 },
      charge: 'total',
      untilStep: 2,
    });
    expect(answer.rollouts).toEqual({ before: 12, after: 12 });
    expect(answer.subjects!.filter(({ before, after }) => after < before).length).toBeGreaterThan(0);
    expect(answer.sentence).toMatch(/fewer/);
    await stepIsDone(harness, 3);
    expect(plannedOf(harness, 2, group.task.id)).toBe(8);
    expect([total(harness, 2), total(harness, 3)]).toEqual([12, 12]);
  });

  it('add counts on top of the method, a second add on top of the first', async () => {
    const harness = start();
    const { group } = await harness.runningNode();
    const subjects = [{ type: 'prompt' as const, id: group.task.id }];
    harness.steer('allocate', { subjects, rollouts: { add: 2 }, charge: 'extra' });
    harness.steer('allocate', { commandId: 'b', subjects, rollouts: { add: 3 }, charge: 'extra' });
    await stepIsDone(harness, 2);
    expect(plannedOf(harness, 2, group.task.id)).toBe(9);
    harness.steer('undo', { undoes: 'b' });
    const next = harness.job.state.nextStep;
    await stepIsDone(harness, next);
    expect(plannedOf(harness, next, group.task.id)).toBe(6);
  });

  it('of the run changes every prompt’s share', async () => {
    const harness = start();
    await harness.runningNode();
    harness.steer('allocate', {
      subjects: [{ type: 'run', id: 'test-run' }],
      rollouts: { set: 2 },
      charge: 'extra',
    });
    await stepIsDone(harness, 2);
    expect(total(harness, 2)).toBe(6);
  });

  it('of a held-out or unknown prompt, of turns, for a past step are refused', async () => {
    const harness = start();
    const { group } = await harness.runningNode();
    const ask = (id: string, more: object) =>
      harness.steer('allocate', {
        subjects: [{ type: 'prompt', id }],
        rollouts: { set: 2 },
        charge: 'extra',
        ...more,
      }).refusal;
    expect(ask('add-1500', {})).toBe('unknownSubject');
    expect(ask('nobody', {})).toBe('unknownSubject');
    expect(ask(group.task.id, { untilStep: 1 })).toBe('outOfRange');
    expect(ask(group.task.id, { turns: { set: 3 } })).toBe('unsupported');
    expect(ask(group.task.id, { rollouts: { clear: true } })).toBe('alreadySo');
    expect(ask(group.task.id, { rollouts: { set: 5000 } })).toBe('outOfRange');
    expect(ask(group.task.id, { temperature: 99 })).toBe('outOfRange');
  });

  it('of tokens and temperature hold for its rollouts', async () => {
    const harness = start();
    const { group } = await harness.runningNode();
    const prompt = group.task.id;
    harness.steer('allocate', {
      subjects: [{ type: 'prompt', id: prompt }],
      rollouts: { set: 30 },
      tokens: { set: 40 },
      temperature: 0.5,
      charge: 'extra',
      untilStep: 2,
    });
    await stepIsDone(harness, 2);
    const mine = harness.job.state.memory.groups.get(`s2.${prompt}`)!;
    expect(mine.rollouts.every((rollout) => rollout.temperature === 0.5)).toBe(true);
    expect(mine.rollouts.length).toBeLessThan(30);
  });
});

describe('an open group’s budget', () => {
  it('raised as extra is launched at once, with a decision and a new plan', async () => {
    const harness = start();
    const { group } = await harness.runningNode();
    const answer = harness.steer('allocate', {
      commandId: 'g',
      subjects: [{ type: 'group', id: group.id }],
      rollouts: { add: 3 },
      charge: 'extra',
    });
    expect(answer).toMatchObject({ rollouts: { before: 12, after: 15 }, untilStep: 1 });
    expect(harness.last('groupPlanned')?.fields).toMatchObject({ group: group.id, planned: 7 });
    await stepIsDone(harness, 1);
    const closed = harness.of('groupClosed').find((e) => e.fields['group'] === group.id);
    expect(closed?.fields['launched']).toBe(7);
    expect(
      harness.steer('allocate', {
        subjects: [{ type: 'group', id: group.id }],
        rollouts: { add: 1 },
        charge: 'extra',
      }).refusal,
    ).toBe('ended');
  });

  it('raised within the total takes from what others have not launched, or is refused', async () => {
    const harness = start({ settings: { slots: 2 } });
    const { group } = await harness.runningNode();
    const subjects = [{ type: 'group' as const, id: group.id }];
    const answer = harness.steer('allocate', { subjects, rollouts: { add: 2 }, charge: 'total' });
    expect(answer.rollouts).toEqual({ before: 12, after: 12 });
    expect(answer.subjects).toHaveLength(3);
    expect(harness.steer('allocate', { subjects, rollouts: { add: 500 }, charge: 'total' }).refusal).toBe(
      'outOfRange',
    );
    expect(harness.steer('allocate', { subjects, rollouts: { set: 0 }, charge: 'extra' }).refusal).toBe(
      'outOfRange',
    );
    await stepIsDone(harness, 1);
    const launched = harness.of('groupClosed').map((e) => Number(e.fields['launched']));
    expect(launched.reduce((sum, count) => sum + count, 0)).toBe(12);
  });

  it('can be taken back as far as nothing was launched', async () => {
    const harness = start({ settings: { slots: 2 } });
    const { group } = await harness.runningNode();
    harness.steer('allocate', {
      commandId: 'g',
      subjects: [{ type: 'group', id: group.id }],
      rollouts: { set: 9 },
      charge: 'extra',
    });
    harness.steer('undo', { undoes: 'g' });
    expect(harness.last('groupPlanned')?.fields['planned']).toBe(4);
    await stepIsDone(harness, 1);
    expect(harness.of('groupClosed').find((e) => e.fields['group'] === group.id)?.fields['launched']).toBe(4);
  });

  it('a cap below a node keeps the branching rule from forking it', async () => {
    const branching = { method: 'datpo', parameters: { rootRollouts: 2 } };
    const harness = start({ settings: { branching, groupSize: 6, slots: 2 } });
    const { node, group } = await harness.runningNode();
    harness.steer('allocate', {
      subjects: [{ type: 'node', id: node.id }],
      rollouts: { set: 0 },
      charge: 'total',
    });
    await stepIsDone(harness, 1);
    const forks = harness
      .of('rolloutOpened')
      .filter((e) => e.fields['group'] === group.id && e.fields['fromNode'] !== undefined);
    expect(forks.length).toBeGreaterThan(0);
    expect(forks.map((e) => e.fields['fromNode'])).not.toContain(node.id);
  });
});
