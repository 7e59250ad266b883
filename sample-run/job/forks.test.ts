import { afterEach, describe, expect, it } from 'vitest';
import { JobHarness, type HarnessOptions } from './jobHarness';
import { detokenise } from '../tasks/vocabulary';

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

describe('forks by a person', () => {
  it('as probes: children at the token, outside the ledger and the training, the parent untouched', async () => {
    const harness = start();
    const rollout = await harness.runningNode(5);
    const { node, group } = rollout;
    const before = [...node.tokens.ids.subarray(0, node.tokens.length)];
    const answer = harness.steer('fork', { node: node.id, at: 3, n: 3, use: 'probe' });
    expect(answer.created).toHaveLength(3);
    for (const { id } of answer.created!) {
      const opened = harness.of('rolloutOpened').find((e) => e.fields['rollout'] === id)!;
      expect(opened.fields).toMatchObject({
        fromNode: node.id,
        at: 3,
        use: 'probe',
        origin: 'forked',
        baseline: false,
      });
      const child = harness.job.state.memory.rollout(id)!;
      await harness.until(() => child.ending !== null, 'the probe’s end');
      expect(child.prefix).toEqual(before.slice(0, 3));
      expect(child.node.parent).toBe(node);
    }
    expect([...node.tokens.ids.subarray(0, before.length)]).toEqual(before);
    const closed = await harness.until(
      () => harness.of('groupClosed').find((e) => e.fields['group'] === group.id),
      'the group’s end',
    );
    expect(closed.fields['launched']).toBe(4);
    const credited = harness.of('credit').map((e) => e.fields['rollout']);
    for (const { id } of answer.created!) expect(credited).not.toContain(id);
    const decision = harness.of('decision').find((e) => e.fields['command'] === answer.commandId);
    expect(decision?.fields['body']).toMatchObject({ position: 'person', children: 'same-policy' });
  });

  it('a probe of an ended node in a later step runs with the weights of then', async () => {
    const harness = start();
    const { node } = await harness.runningNode();
    await harness.until(() => harness.of('stepOpened').length === 2, 'step 2');
    await harness.runningNode();
    expect(node.rollout.ending).not.toBe(null);
    const answer = harness.steer('fork', { node: node.id, at: 1, n: 1, use: 'probe' });
    const child = harness.of('nodeOpened').find((e) => e.fields['rollout'] === answer.created![0]!.id);
    expect(child?.fields).toMatchObject({ parent: node.id, at: 1, policyVersion: 1 });
    expect(harness.steer('fork', { node: node.id, at: 1, n: 1, use: 'train' }).refusal).toBe('notOpen');
  });

  it('that train are charged to the group, trained on, and outside the baseline', async () => {
    const harness = start();
    const { node, group } = await harness.runningNode(4);
    const answer = harness.steer('fork', { node: node.id, at: 2, n: 2, use: 'train' });
    expect(answer.rollouts!.after - answer.rollouts!.before).toBe(2);
    const closed = await harness.until(
      () => harness.of('groupClosed').find((e) => e.fields['group'] === group.id),
      'the group’s end',
    );
    const planned = harness.events.findLast(
      (e) => (e.kind === 'groupPlanned' || e.kind === 'groupOpened') && e.fields['group'] === group.id,
    )!;
    expect(Number(planned.fields['planned'])).toBeGreaterThanOrEqual(Number(closed.fields['launched']));
    for (const { id } of answer.created!) {
      expect(harness.of('rolloutOpened').find((e) => e.fields['rollout'] === id)?.fields).toMatchObject({
        use: 'train',
        baseline: false,
      });
    }
  });

  it('with a text: it stands at the start, was not sampled, and is refused where the policy cannot read it', async () => {
    const harness = start();
    const { node } = await harness.runningNode(4);
    const answer = harness.steer('fork', {
      node: node.id,
      at: 2,
      n: 1,
      use: 'train',
      edit: { text: ' Tens: 4 plus 5' },
    });
    const child = harness.job.state.memory.rollout(answer.created![0]!.id)!;
    await harness.until(() => child.ending !== null, 'its end');
    const { tokens } = child.node;
    const { text } = detokenise([...tokens.ids.subarray(0, tokens.length)]);
    expect(text.startsWith(' Tens: 4 plus 5')).toBe(true);
    expect([...tokens.sampled.subarray(0, 4)]).toEqual([0, 0, 0, 0]);
    expect(tokens.sampled[4]).toBe(1);
    for (let i = 0; i < 4; i++) {
      expect(tokens.logProb[i]).toBeLessThan(0);
      expect(tokens.entropy[i]).toBeGreaterThan(0);
    }
    for (let i = 0; i < tokens.length; i++) {
      expect(tokens.alternatives(i).map(({ token }) => token)).toContain(tokens.ids[i]);
    }
    const opened = harness.of('nodeOpened').find((e) => e.fields['node'] === child.node.id);
    expect(opened?.fields).toMatchObject({ origin: 'edited', marks: 4 });
    const closed = harness.of('nodeClosed').find((e) => e.fields['node'] === child.node.id)!;
    expect(Number(closed.fields['trainShare'])).toBeLessThan(1);
    const unknown = harness.steer('fork', {
      node: node.id,
      at: 2,
      n: 1,
      use: 'probe',
      hint: { text: ' try harder' },
    });
    expect(unknown.refusal).toBe('outOfRange');
    expect(unknown.sentence).toMatch(/cannot read/);
  });

  it('past the end, behind the end token, of unknown nodes are refused', async () => {
    const harness = start();
    const rollout = await harness.runningNode();
    const { node } = rollout;
    const ask = (at: number, id = node.id) =>
      harness.steer('fork', { node: id, at, n: 1, use: 'probe' }).refusal;
    expect(ask(node.tokens.length + 1)).toBe('outOfRange');
    expect(ask(0, 'nobody')).toBe('unknownSubject');
    await harness.until(() => rollout.ending !== null, 'its end');
    if (rollout.ending === 'finished') expect(ask(node.tokens.length)).toBe('outOfRange');
    expect(ask(node.tokens.length - 1)).toBe(undefined);
  });

  it('while the run is paused are opened at once and say nothing until it goes on', async () => {
    const harness = start();
    const { node } = await harness.runningNode();
    harness.steer('pause', { target: { type: 'run' }, mode: 'now' });
    const answer = harness.steer('fork', { node: node.id, at: 0, n: 1, use: 'probe' });
    expect(answer.sentence).toMatch(/paused/);
    const child = harness.job.state.memory.rollout(answer.created![0]!.id)!;
    await harness.turns();
    expect(child.node.tokens.length).toBe(0);
    expect(harness.of('rolloutSpan').find((e) => e.fields['rollout'] === child.id)?.fields['state']).toBe(
      'paused',
    );
    harness.steer('resume', { target: { type: 'run' } });
    await harness.until(() => child.node.tokens.length > 0, 'a token');
  });

  it('taken back: what runs is stopped, what has ended leaves the training', async () => {
    const harness = start({ settings: { groupSize: 12 } });
    const { node, group } = await harness.runningNode();
    const answer = harness.steer('fork', { commandId: 'f', node: node.id, at: 1, n: 6, use: 'train' });
    const made = answer.created!.map(({ id }) => harness.job.state.memory.rollout(id)!);
    await harness.until(() => made.some((rollout) => rollout.ending !== null), 'one that ends');
    const ended = made.filter((rollout) => rollout.ending !== null);
    expect(harness.steer('undo', { undoes: 'f' }).state).toBe('applied');
    expect(
      made.filter((rollout) => !ended.includes(rollout)).every((rollout) => rollout.ending === 'stopped'),
    ).toBe(true);
    const discarded = harness.of('rolloutDiscarded').map((e) => e.fields['rollout']);
    expect(discarded.sort()).toEqual(ended.map(({ id }) => id).sort());
    const closed = await harness.until(
      () => harness.of('groupClosed').find((e) => e.fields['group'] === group.id),
      'the group’s end',
    );
    expect(closed.fields['discarded']).toBe(ended.length);
    expect(harness.steer('undo', { undoes: 'f' }).refusal).toBe('alreadySo');
  });
});
