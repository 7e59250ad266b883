import { describe, expect, it } from 'vitest';
import { viewOf } from '../../run-store/queries/answer';
import { RunStore } from '../../run-store/runStore';
import { EarlierStarts } from './earlierStarts';
import { LiveSession } from './liveSession';
import { StepHistory, readFromJob } from './stepHistory';
import { StoreModel } from './storeModel';
import { FakeClock, settle } from './testing/fakeClock';
import { FakeJob } from './testing/fakeJob';
import { JobTexts } from './textSource';
import type { ReadName, ReadParams } from '../../protocol/wire/reads';

/** A window that attaches to the job now. */
function attach(job: FakeJob) {
  const clock = new FakeClock();
  const store = new RunStore();
  const logged: string[] = [];
  const line = (message: string) => void logged.push(message);
  const log = { error: line, warn: line, info: line, debug: line };
  const read = <N extends ReadName>(name: N, params: ReadParams<N>) => session.read(name, params);
  const earlier = new EarlierStarts({
    store,
    read,
    wait: (ms) => new Promise((resolve) => clock.after(ms, resolve)),
    now: () => clock.now(),
    log,
    onRead: () => undefined,
  });
  const history = new StepHistory(readFromJob(read), () => undefined, log);
  const model = new StoreModel(store, new JobTexts(read), history, () => undefined, earlier);
  const session: LiveSession = new LiveSession({ address: 'ws://127.0.0.1:1/', token: null }, model, {
    connect: job.connect,
    clock,
    random: () => 0.5,
    client: { name: 'test', version: '0' },
    log,
    onChange: () => undefined,
  });
  session.connectNow();
  const steps = () =>
    viewOf(store, 'steps', { limit: 100 })!.rows.map(({ step, incarnation }) => `${incarnation}:${step}`);
  return { clock, session, store, logged, steps };
}

const evaluate = (job: FakeJob, step: number): void => {
  job.builder.add('evaluation', 1, {
    evaluation: `e${step}`,
    name: 'held-out',
    step,
    policyVersion: step,
    sampling: {},
    problems: { prompts: ['p1'], n: [4], c: [step] },
  });
  job.builder.add('steering', 2, {
    command: `c${step}`,
    action: 'pause',
    state: 'applied',
    author: 'ada',
    connection: 'x',
    scope: 'steer',
    sentence: 'Paused.',
    subjects: [],
  });
};

/** Two starts of two steps each, and a third that runs. */
function restartedTwice(): FakeJob {
  const job = new FakeJob();
  evaluate(job, 1);
  job.step(1);
  job.step(2);
  job.restart();
  evaluate(job, 2);
  job.step(2);
  job.step(3);
  job.restart();
  job.step(3);
  return job;
}

describe('a window that attaches to a run in its third start', () => {
  it('reads the earlier starts: steps, evaluations and steering record of all of them are there', async () => {
    const job = restartedTwice();
    const { clock, steps, store } = attach(job);
    await settle();
    await clock.advance(1000);
    expect(steps()).toEqual(['3:3', '2:3', '2:2', '1:2', '1:1']);
    const { evaluations } = viewOf(store, 'steps', { limit: 100 })!;
    expect(evaluations.map(({ step, passAt1 }) => [step, passAt1])).toEqual([
      [2, 0.5],
      [1, 0.25],
    ]);
    const record = viewOf(store, 'steering', { limit: 9 })!;
    expect(record.rows.map(({ command, incarnation }) => [command, incarnation]).sort()).toEqual([
      ['c1', 1],
      ['c2', 2],
    ]);
  });

  it('is live before anything of them was read, and leaves the way free between two pages', async () => {
    const job = restartedTwice();
    const { clock, session, steps } = attach(job);
    await settle();
    expect(session.connectionReport.state).toBe('live');
    expect(steps()).toEqual(['3:3']);
    job.step(4);
    await settle();
    expect(steps()).toEqual(['3:4', '3:3']);
    expect(job.requests.filter(({ method }) => method === 'readSteps')).toHaveLength(1);
    await clock.advance(1000);
    expect(steps()).toHaveLength(6);
  });

  it('begins the reading again after a lost connection, and reads nothing twice', async () => {
    const job = restartedTwice();
    const { clock, steps } = attach(job);
    await settle();
    job.end('closed', 1006);
    await clock.advance(5);
    expect(steps()).toEqual(['3:3']);
    await clock.advance(1000);
    expect(steps()).toEqual(['3:3', '2:3', '2:2', '1:2', '1:1']);
    const asked = job.requests.filter(({ method }) => method === 'readSteps').length;
    job.end('closed', 1006);
    await clock.advance(1000);
    expect(job.requests.filter(({ method }) => method === 'readSteps')).toHaveLength(asked);
  });

  it('shows what there is when the job has no journal of a start', async () => {
    const job = restartedTwice();
    job.earlier.delete(2);
    const { clock, steps, session } = attach(job);
    await settle();
    await clock.advance(1000);
    expect(steps()).toEqual(['3:3', '1:2', '1:1']);
    expect(session.connectionReport.state).toBe('live');
  });

  it('says so in the log and stays live when a start cannot be read', async () => {
    const job = restartedTwice();
    job.answer = (message) =>
      message.method === 'readSteps'
        ? { result: { strings: [], batches: [{ from: 1, to: 'x', now: 0, events: {} }], next: null } }
        : undefined;
    const { clock, steps, logged, session } = attach(job);
    await settle();
    await clock.advance(1000);
    expect(steps()).toEqual(['3:3']);
    expect(logged.filter((one) => one.includes('could not be read'))).toHaveLength(2);
    expect(session.connectionReport.state).toBe('live');
  });
});

describe('a window that was attached while the run was restarted', () => {
  it('reads what it did not hear of the end of the earlier start', async () => {
    const job = new FakeJob();
    const { clock, steps } = attach(job);
    await settle();
    job.step(1);
    await settle();
    job.refuse = 'unreachable';
    job.end('closed', 1006);
    job.step(2);
    job.restart();
    job.refuse = null;
    job.step(3);
    await clock.advance(2000);
    expect(steps()).toEqual(['2:3', '1:2', '1:1']);
  });
});
