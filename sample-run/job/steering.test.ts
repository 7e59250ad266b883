import { afterEach, describe, expect, it } from 'vitest';
import type { SteeringAnswer } from '../../protocol/wire/steering';
import { JobHarness, type HarnessOptions } from './jobHarness';
import { TRAIN_TASKS } from '../tasks/taskSet';

const RUN = { type: 'run' } as const;
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

const states = (harness: JobHarness, command: string): unknown[] =>
  harness.of('steering').flatMap((e) => (e.fields['command'] === command ? [e.fields['state']] : []));

const refusal = (answer: SteeringAnswer): readonly [string, string | undefined, boolean] => [
  answer.state,
  answer.refusal,
  answer.changed,
];

const runStates = (harness: JobHarness): unknown[] => harness.of('runState').map((e) => e.fields['state']);

describe('pausing the run', () => {
  it('now: no token more, until it goes on', async () => {
    const harness = start();
    await harness.runningNode();
    const answer = harness.steer('pause', { commandId: 'p', target: RUN, mode: 'now', reason: 'look' });
    expect([answer.state, answer.changed]).toEqual(['applied', true]);
    expect(states(harness, 'p')).toEqual(['requested', 'applied']);
    expect(harness.of('steering')[1]!.fields).toMatchObject({
      author: 'ada',
      connection: 'c1',
      scope: 'steer',
      reason: 'look',
    });
    const { tokens } = harness.job.state.runner;
    const seen = harness.events.length;
    await harness.turns();
    expect(harness.job.state.runner.tokens).toBe(tokens);
    expect(harness.events.length).toBe(seen);
    expect(runStates(harness).at(-1)).toBe('paused');
    harness.steer('resume', { target: RUN });
    await harness.until(() => harness.job.state.runner.tokens > tokens, 'a token');
    expect(runStates(harness).at(-1)).toBe('running');
  });

  it('drain: what runs ends, nothing is launched, then it is paused', async () => {
    const harness = start();
    await harness.runningNode();
    const answer = harness.steer('pause', { commandId: 'p', target: RUN, mode: 'drain' });
    expect(answer.state).toBe('requested');
    const launched = harness.of('rolloutOpened').length;
    await harness.until(() => harness.job.state.latches.runClosed, 'the pause');
    expect(harness.of('rolloutOpened').length).toBe(launched);
    expect(harness.of('rolloutClosed').length).toBe(launched);
    expect(states(harness, 'p')).toEqual(['requested', 'applied']);
    await harness.turns();
    expect(harness.of('stepClosed')).toHaveLength(0);
    harness.steer('resume', { target: RUN });
    await harness.until(() => harness.of('rolloutOpened').length > launched, 'further launches');
  });

  it('at the step’s end: the step is finished, the next one is not begun', async () => {
    const harness = start();
    await harness.runningNode();
    harness.steer('pause', { commandId: 'p', target: RUN, mode: 'step-boundary' });
    expect(states(harness, 'p')).toEqual(['requested']);
    await harness.until(() => harness.job.state.latches.runClosed, 'the pause');
    expect(states(harness, 'p')).toEqual(['requested', 'applied']);
    await harness.turns();
    expect([harness.of('stepOpened').length, harness.of('stepClosed').length]).toEqual([1, 1]);
  });

  it('a pause that has not taken hold can be taken back or sharpened', async () => {
    const harness = start();
    await harness.runningNode();
    harness.steer('pause', { commandId: 'a', target: RUN, mode: 'step-boundary' });
    harness.steer('pause', { commandId: 'b', target: RUN, mode: 'now' });
    expect(states(harness, 'a')).toEqual(['requested', 'undone']);
    expect(harness.job.state.latches.runClosed).toBe(true);
    harness.steer('resume', { target: RUN });
    harness.steer('pause', { commandId: 'c', target: RUN, mode: 'step-boundary' });
    harness.steer('resume', { target: RUN });
    expect(states(harness, 'c')).toEqual(['requested', 'undone']);
    await harness.until(() => harness.of('stepClosed').length >= 2, 'two steps');
  });

  it('step n: exactly n steps', async () => {
    const harness = start();
    await harness.runningNode();
    harness.steer('pause', { target: RUN, mode: 'step-boundary' });
    await harness.until(() => harness.job.state.latches.runClosed, 'the pause');
    const answer = harness.steer('step', { n: 2 });
    expect([answer.fromStep, answer.untilStep]).toEqual([2, 3]);
    await harness.until(() => harness.job.state.latches.runClosed, 'the pause after it');
    await harness.turns();
    expect(harness.of('stepClosed')).toHaveLength(3);
    expect(harness.of('stepOpened')).toHaveLength(3);
  });

  it('a second pause of a paused run is refused', async () => {
    const harness = start();
    await harness.runningNode();
    harness.steer('pause', { target: RUN, mode: 'now' });
    expect(refusal(harness.steer('pause', { target: RUN, mode: 'drain' }))).toEqual([
      'refused',
      'alreadySo',
      false,
    ]);
    harness.steer('resume', { target: RUN });
    expect(refusal(harness.steer('resume', { target: RUN }))).toEqual(['refused', 'alreadySo', false]);
  });
});

describe('latches of prompts and nodes', () => {
  it('a prompt paused now stands still while others go on, and the step waits for it and says so', async () => {
    const harness = start();
    const rollout = await harness.runningNode();
    const { task } = rollout.group;
    harness.steer('pause', { target: { type: 'prompt', id: task.id }, mode: 'now' });
    const { length } = rollout.node.tokens;
    const finding = await harness.until(
      () => harness.last('finding')?.fields['open'] === true && harness.last('finding'),
      'a finding',
    );
    expect(JSON.stringify(finding.fields)).toContain(task.id);
    expect(rollout.node.tokens.length).toBe(length);
    expect(harness.last('runState')?.fields['heldPrompts']).toBe(1);
    expect(harness.of('rolloutClosed').length).toBeGreaterThan(0);
    harness.steer('resume', { target: { type: 'prompt', id: task.id } });
    await harness.until(() => rollout.ending !== null, 'its end');
    await harness.until(() => harness.of('stepClosed').length > 0, 'the step’s end');
    expect(harness.last('finding')?.fields['open']).toBe(false);
  });

  it('a latched prompt is not planned', async () => {
    const harness = start({ settings: { promptsPerStep: 96, groupSize: 1, slots: 96, steps: 3 } });
    const id = TRAIN_TASKS[3]!.id;
    await harness.runningNode(1);
    harness.steer('pause', { target: { type: 'prompt', id }, mode: 'step-boundary' });
    await harness.until(() => harness.of('stepOpened').length === 2, 'step 2');
    await harness.until(() => harness.of('stepClosed').length === 2, 'its end');
    const second = harness.of('groupOpened').filter((e) => e.fields['step'] === 2);
    expect(second.map((e) => e.fields['prompt'])).not.toContain(id);
  });

  it('a node paused now freezes its own rollout and what was forked from it, no other', async () => {
    const harness = start();
    const rollout = await harness.runningNode(4);
    const fork = harness.steer('fork', { node: rollout.node.id, at: 2, n: 1, use: 'probe' });
    harness.steer('pause', { target: { type: 'node', id: rollout.node.id }, mode: 'now' });
    const child = harness.job.state.memory.rollout(fork.created![0]!.id)!;
    const lengths = [rollout.node.tokens.length, child.node.tokens.length];
    await harness.until(() => harness.of('rolloutClosed').length >= 3, 'others that end');
    expect([rollout.node.tokens.length, child.node.tokens.length]).toEqual(lengths);
    harness.steer('stop', { subject: { type: 'node', id: rollout.node.id } });
    expect([rollout.ending, child.ending]).toEqual(['stopped', 'stopped']);
  });
});

describe('requests', () => {
  it('are followed once', async () => {
    const harness = start();
    await harness.runningNode();
    const first = harness.steer('pause', { commandId: 'same', target: RUN, mode: 'now' });
    harness.steer('resume', { target: RUN });
    const again = harness.steer('pause', { commandId: 'same', target: RUN, mode: 'now' });
    expect(again).toEqual({ ...first, changed: false });
    expect(harness.job.state.latches.runClosed).toBe(false);
  });

  it('as dry runs change and record nothing', async () => {
    const harness = start();
    const rollout = await harness.runningNode();
    const events = harness.events.length;
    const prompt = rollout.group.task.id;
    const answers = [
      harness.steer('pause', { target: RUN, mode: 'now', dryRun: true }),
      harness.steer('allocate', {
        subjects: [{ type: 'prompt', id: prompt }],
        rollouts: { set: 9 },
        charge: 'extra',
        dryRun: true,
      }),
      harness.steer('fork', { node: rollout.node.id, at: 1, n: 3, use: 'train', dryRun: true }),
      harness.steer('stop', { subject: { type: 'group', id: rollout.group.id }, dryRun: true }),
      harness.steer('setMethod', { kind: 'allocation', method: 'knapsack-rl', parameters: {}, dryRun: true }),
      harness.steer('skip', { prompts: [prompt], dryRun: true }),
    ];
    for (const answer of answers) {
      expect([answer.state, answer.changed]).toEqual(['preview', false]);
      expect(answer.sentence.length).toBeGreaterThan(20);
    }
    expect(answers[1]!.rollouts).toEqual({ before: 12, after: 17 });
    expect(answers[1]!.tokens!.after).toBeGreaterThan(answers[1]!.tokens!.before);
    expect(harness.events.length).toBe(events);
    expect(harness.control.commands).toHaveLength(0);
  });

  it('for another start, an unknown subject or an ended run are refused and recorded with the reason', async () => {
    const harness = start({ settings: { steps: 1 } });
    await harness.runningNode();
    expect(
      refusal(harness.steer('pause', { commandId: 'x', incarnation: 8, target: RUN, mode: 'now' })),
    ).toEqual(['refused', 'wrongIncarnation', false]);
    expect(harness.last('steering')?.fields).toMatchObject({ command: 'x', state: 'refused', author: 'ada' });
    expect(String(harness.last('steering')?.fields['reason'])).toMatch(/start 1/);
    for (const subject of [
      { type: 'rollout', id: 'x' },
      { type: 'node', id: '__proto__' },
      { type: 'group', id: 'x' },
      { type: 'prompt', id: 'constructor' },
    ] as const) {
      expect(refusal(harness.steer('stop', { subject }))).toEqual(['refused', 'unknownSubject', false]);
    }
    await harness.until(() => runStates(harness).at(-1) === 'ended', 'the end');
    expect(refusal(harness.steer('pause', { target: RUN, mode: 'now' }))).toEqual([
      'refused',
      'ended',
      false,
    ]);
  });
});

describe('stopping', () => {
  it.each(['rollout', 'node', 'group', 'prompt'] as const)(
    'a %s ends what runs of it, as stopped and killed',
    async (type) => {
      const harness = start();
      const rollout = await harness.runningNode();
      const { group } = rollout;
      const id = { rollout: rollout.id, node: rollout.node.id, group: group.id, prompt: group.task.id }[type];
      const answer = harness.steer('stop', { subject: { type, id } });
      expect(answer.state).toBe('applied');
      const closed = harness.of('rolloutClosed').find((e) => e.fields['rollout'] === rollout.id)!;
      expect(closed.fields).toMatchObject({ ending: 'stopped', reason: 'person' });
      expect(closed.fields['reward']).toBeUndefined();
      const decision = harness.of('decision').find((e) => e.fields['decision'] === closed.fields['decision']);
      expect(decision?.fields).toMatchObject({ kind: 'stop', command: answer.commandId });
      const done = await harness.until(
        () => harness.of('groupClosed').find((e) => e.fields['group'] === group.id),
        'the group’s end',
      );
      expect(Number(done.fields['killed'])).toBeGreaterThan(0);
      if (type === 'group') expect(done.fields['finished']).toBe(0);
      expect(refusal(harness.steer('stop', { subject: { type, id } }))).toEqual(['refused', 'ended', false]);
    },
  );
});

describe('conditions', () => {
  it('pause the run once a step while they hold, are counted and removed', async () => {
    const harness = start();
    await harness.runningNode();
    harness.steer('break.add', { condition: { metric: 'budget', op: '>', value: 3 } });
    await harness.until(() => harness.job.state.latches.runClosed, 'the pause');
    expect(harness.of('breakpoint').map((e) => [e.fields['state'], e.fields['hits']])).toEqual([
      ['added', 0],
      ['hit', 1],
    ]);
    expect(harness.last('runState')?.fields).toMatchObject({ state: 'paused', by: 'ada' });
    expect(String(harness.last('runState')?.fields['reason'])).toMatch(/budget is above 3/);
    harness.steer('resume', { target: RUN });
    await harness.until(() => harness.of('breakpoint').length === 3, 'the next hit');
    harness.steer('break.remove', { breakpoint: 'b1' });
    harness.steer('resume', { target: RUN });
    const closed = harness.of('stepClosed').length;
    await harness.until(() => harness.of('stepClosed').length >= closed + 2, 'two steps');
    expect(harness.last('breakpoint')?.fields['state']).toBe('removed');
    expect(refusal(harness.steer('break.remove', { breakpoint: 'b1' }))).toEqual([
      'refused',
      'unknownSubject',
      false,
    ]);
    expect(
      refusal(harness.steer('break.add', { condition: { metric: 'toolError', op: '>', value: 0 } }))[1],
    ).toBe('unsupported');
  });
});

describe('methods and skips', () => {
  it('hold from the next step on and can be taken back', async () => {
    const harness = start();
    const rollout = await harness.runningNode();
    harness.steer('setMethod', {
      commandId: 'm',
      kind: 'allocation',
      method: 'dars',
      parameters: { firstStage: 2, most: 4 },
    });
    await harness.until(() => harness.of('stepClosed').length === 2, 'step 2');
    const of = (step: number) =>
      harness.of('decision').filter((e) => e.fields['step'] === step && e.fields['kind'] === 'allocate');
    expect(of(1).map((e) => e.fields['method'])).toEqual(['uniform']);
    expect(of(2).map((e) => e.fields['method'])).toEqual(['dars', 'dars']);
    expect(harness.of('groupPlanned').map((e) => e.fields['planned'])).toEqual([3, 3, 3]);
    expect(harness.of('groupClosed').filter((e) => e.fields['reason'] === 'all-wrong')).toHaveLength(3);
    harness.steer('undo', { undoes: 'm' });
    expect(states(harness, 'm')).toEqual(['requested', 'applied', 'undone']);
    const before = harness.of('stepOpened').length;
    await harness.until(() => harness.of('stepClosed').length > before + 1, 'later steps');
    expect(of(before + 1).map((e) => e.fields['method'])).toEqual(['uniform']);
    expect(refusal(harness.steer('setMethod', { kind: 'credit', method: 'nope', parameters: {} }))[1]).toBe(
      'unsupported',
    );
    expect(
      refusal(
        harness.steer('setMethod', { kind: 'allocation', method: 'dars', parameters: { most: -1 } }),
      )[1],
    ).toBe('outOfRange');
    expect(
      refusal(harness.steer('setMethod', { kind: 'allocation', method: 'uniform', parameters: {} }))[1],
    ).toBe('alreadySo');
    expect(rollout.group.closed).toBe(true);
  });

  it('a skipped prompt is not drawn, until it is taken back', async () => {
    const harness = start({ settings: { promptsPerStep: 96, groupSize: 1, slots: 96, steps: 4 } });
    await harness.runningNode(1);
    const id = TRAIN_TASKS[5]!.id;
    const drawn = (step: number) =>
      harness.of('groupOpened').some((e) => e.fields['step'] === step && e.fields['prompt'] === id);
    harness.steer('skip', { commandId: 's', prompts: [id], untilStep: 2 });
    await harness.until(() => harness.of('stepOpened').length === 4, 'step 4');
    await harness.turns(20);
    expect([drawn(1), drawn(2), drawn(3)]).toEqual([true, false, true]);
    expect(refusal(harness.steer('skip', { prompts: TRAIN_TASKS.map((task) => task.id) }))[1]).toBe('ended');
    expect(refusal(harness.steer('skip', { prompts: ['add-1500'] }))[1]).toBe('ended');
  });
});
