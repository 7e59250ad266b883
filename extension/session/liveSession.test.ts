import { describe, expect, it } from 'vitest';
import { LiveSession } from './liveSession';
import { PROBLEM_KINDS, isFatal } from './problems';
import { FakeClock, settle } from './testing/fakeClock';
import { FakeJob } from './testing/fakeJob';
import { FakeModel } from './testing/fakeModel';

function start(prepare: (job: FakeJob) => void = () => undefined) {
  const job = new FakeJob();
  const model = new FakeModel();
  const clock = new FakeClock();
  const logged: string[] = [];
  const line = (message: string) => void logged.push(message);
  const session = new LiveSession(
    { address: 'ws://127.0.0.1:1/', token: 'secret-token-of-the-test' },
    model,
    {
      connect: job.connect,
      clock,
      random: () => 0.5,
      client: { name: 'test', version: '0' },
      log: { error: line, warn: line, info: line, debug: line },
      onChange: () => undefined,
    },
  );
  prepare(job);
  session.connectNow();
  return { job, model, clock, session, logged, applied: (life = 1) => model.lives.get(`life-${life}`) };
}

const STEPS_1_TO_4 = ['1 stepOpened 1', '2 stepOpened 2', '3 stepOpened 3', '4 stepOpened 4'];

describe('a session', () => {
  it('goes through initialize and subscribe to live, and acknowledges what it applied', async () => {
    const { job, session, applied } = start((j) => j.step(1));
    await settle();
    job.step(2);
    await settle();
    expect(session.connectionReport.state).toBe('live');
    expect(job.requests.map(({ method }) => method)).toEqual(['initialize', 'subscribe']);
    expect(applied()).toEqual(['1 stepOpened 1', '2 stepOpened 2']);
    expect(job.acks).toEqual([1, 2]);
  });

  it('goes on after a lost connection without gap or repeat', async () => {
    const { job, clock, session, applied } = start();
    await settle();
    job.step(1);
    job.step(2);
    await settle();
    job.end('closed', 1006);
    expect(session.connectionReport).toMatchObject({ state: 'lost', problem: { kind: 'closed' } });
    job.step(3);
    await clock.advance(1000);
    job.step(4);
    await settle();
    expect(session.connectionReport.state).toBe('live');
    expect(job.requests.at(-1)?.params).toEqual({ afterSeq: 2, strings: 0 });
    expect(applied()).toEqual(STEPS_1_TO_4);
  });

  it('tries again later and later, at most every 30 s, and says when', async () => {
    const { job, clock, session } = start((j) => (j.refuse = 'unreachable'));
    const waits: number[] = [];
    for (let i = 0; i < 9; i++) {
      await settle();
      const { nextTryAt } = session.connectionReport;
      waits.push(nextTryAt! - clock.now());
      await clock.advance(waits.at(-1)!);
    }
    expect(waits).toEqual([375, 750, 1500, 3000, 6000, 12000, 22500, 22500, 22500]);
    expect(job.targets).toHaveLength(10);
  });

  it('begins with short waits again after a connection that brought events', async () => {
    const { job, clock, session } = start((j) => (j.refuse = 'unreachable'));
    await settle();
    await clock.advance(20_000);
    job.refuse = null;
    await clock.advance(30_000);
    job.step(1);
    await settle();
    job.end('closed');
    expect(session.connectionReport.nextTryAt! - clock.now()).toBe(375);
  });

  it('takes a snapshot in pages when the log has moved on, and goes on from its seq', async () => {
    const { job, session, applied } = start((j) => {
      for (let step = 1; step <= 3; step++) j.step(step);
      j.forgetBefore(3);
    });
    await settle();
    job.step(4);
    await settle();
    expect(session.connectionReport.state).toBe('live');
    expect(job.requests.map(({ method }) => method)).toEqual([
      'initialize',
      'snapshot',
      'snapshot',
      'subscribe',
    ]);
    expect(applied()).toEqual(STEPS_1_TO_4);
  });

  it('replaces what it has of the same life when a resume is answered with gone', async () => {
    const { job, clock, applied } = start();
    await settle();
    job.step(1);
    await settle();
    job.end('closed');
    job.step(2);
    job.step(3);
    job.answer = (message) => {
      if (message.method !== 'subscribe') return undefined;
      job.answer = () => undefined;
      return { error: { code: -32011, message: 'gone' } };
    };
    await clock.advance(1000);
    job.step(4);
    await settle();
    expect(applied()).toEqual(STEPS_1_TO_4);
  });

  it('starts a snapshot over when the connection was lost in the middle of it', async () => {
    const { clock, applied } = start((j) => {
      for (let step = 1; step <= 4; step++) j.step(step);
      j.forgetBefore(3);
      j.answer = (message) => {
        const { params } = message;
        if (typeof params !== 'object' || params === null || !('cursor' in params)) return undefined;
        j.answer = () => undefined;
        j.end('closed');
        return null;
      };
    });
    await settle();
    await clock.advance(1000);
    expect(applied()).toEqual(STEPS_1_TO_4);
  });

  it('keeps the data of the life before when the job restarts', async () => {
    const { job, clock, session, applied } = start();
    await settle();
    job.step(1);
    job.step(2);
    await settle();
    job.restart();
    job.step(2);
    await clock.advance(1000);
    expect(session.stream.info?.incarnation.number).toBe(2);
    expect(applied(1)).toEqual(['1 stepOpened 1', '2 stepOpened 2']);
    expect(applied(2)).toEqual(['1 stepOpened 2']);
    expect(job.requests.at(-1)?.params).toEqual({ afterSeq: 0, strings: 0 });
  });

  it('ignores a batch that it has, and does not acknowledge it again', async () => {
    const { job, session, applied } = start();
    await settle();
    const batch = job.step(1);
    job.push(batch);
    await settle();
    expect(session.connectionReport.state).toBe('live');
    expect(applied()).toEqual(['1 stepOpened 1']);
    expect(job.acks).toEqual([1]);
  });

  it('reconnects at its own seq when a batch is missing, so that nothing is lost', async () => {
    const { job, clock, session, applied } = start();
    await settle();
    job.step(1);
    job.builder.add('stepOpened', 0, { step: 2, policyVersion: 0, planned: 1 });
    job.log.push(job.builder.take(0)!);
    job.step(3);
    expect(session.connectionReport).toMatchObject({ state: 'lost', problem: { kind: 'outOfOrder' } });
    await clock.advance(1000);
    job.step(4);
    await settle();
    expect(applied()).toEqual(STEPS_1_TO_4);
  });

  it.each([
    ['text that is not JSON', '{"jsonrpc":'],
    ['JSON that is not RPC', '[1,2]'],
    [
      'columns of different lengths',
      events({ from: 1, to: 1, now: 0, events: { stepPhase: { seq: [1], t: [0], step: [], phase: [0] } } }),
    ],
    [
      'a handle that was never introduced',
      events({ from: 1, to: 1, now: 0, events: { stepPhase: { seq: [1], t: [0], step: [1], phase: [9] } } }),
    ],
    ['nothing at all', events(null)],
  ])('gives up after three tries on %s, with all data kept', async (_what, frame) => {
    const { job, clock, session, applied } = start();
    for (let i = 0; i < 3; i++) {
      await settle();
      expect(session.connectionReport.state).toBe('live');
      job.text(frame);
      await clock.advance(5000);
    }
    expect(session.connectionReport).toMatchObject({
      state: 'refused',
      problem: { kind: 'malformed' },
      nextTryAt: null,
    });
    await clock.advance(600_000);
    expect(job.targets).toHaveLength(3);
    expect(applied()).toEqual([]);
  });

  it('takes who talks nonsense from the first word on for another protocol, and does not try again', async () => {
    const { job, clock, session } = start((j) => (j.answer = () => (j.text('hello'), null)));
    await settle();
    await clock.advance(600_000);
    expect(session.connectionReport).toMatchObject({ state: 'refused', problem: { kind: 'wrongProtocol' } });
    expect(job.targets).toHaveLength(1);
  });

  it.each(PROBLEM_KINDS.filter(isFatal))('never loops on %s', async (kind) => {
    const { job, clock, session } = start((j) => (j.refuse = kind));
    await settle();
    await clock.advance(600_000);
    expect(session.connectionReport).toMatchObject({ state: 'refused', problem: { kind } });
    expect(job.targets).toHaveLength(1);
  });

  it('connects with the new token after a refusal', async () => {
    const { job, session } = start((j) => (j.refuse = 'tokenRefused'));
    await settle();
    job.refuse = null;
    session.retarget({ address: 'ws://127.0.0.1:1/', token: 'another' });
    expect(session.connectionReport).toMatchObject({ state: 'connecting', problem: null });
    await settle();
    expect(job.targets.at(-1)?.token).toBe('another');
    expect(session.connectionReport.state).toBe('live');
  });

  it('names another version of the protocol, and another server', async () => {
    const other = start((j) => (j.protocolVersion = 2));
    await settle();
    expect(other.session.connectionReport.problem?.kind).toBe('wrongProtocol');
    const stranger = start((j) => (j.answer = () => ({ result: { hello: 1 } })));
    await settle();
    expect(stranger.session.connectionReport.problem?.kind).toBe('wrongProtocol');
  });

  it('refuses to mix two runs when the address serves another one', async () => {
    const { job, clock, session, applied } = start();
    await settle();
    job.step(1);
    job.run = 'run-2';
    job.end('closed');
    await clock.advance(1000);
    expect(session.connectionReport.problem?.kind).toBe('otherRun');
    expect(applied()).toEqual(['1 stepOpened 1']);
  });

  it('gives up an initialize that is not answered, and tries again', async () => {
    const { clock, session } = start((j) => (j.answer = () => null));
    await settle();
    await clock.advance(10_000);
    expect(session.connectionReport).toMatchObject({ state: 'lost', problem: { kind: 'timeout' } });
  });

  it('rejects what waits when the connection is lost', async () => {
    const { job, session } = start();
    await settle();
    job.answer = () => null;
    const answer = session.read('config', {});
    await settle();
    job.end('closed');
    await expect(answer).rejects.toThrow(/config/);
    await expect(session.read('config', {})).rejects.toThrow('there is no connection');
  });

  it('checks the answer to a steering request', async () => {
    const { job, session } = start();
    await settle();
    job.answer = () => ({ result: { state: 'applied' } });
    const request = session.steer('step', { commandId: 'c', incarnation: 1, author: 'a', n: 1 });
    await expect(request).rejects.toThrow(/steer\.step/);
    expect(session.connectionReport.state).toBe('live');
  });

  it('stays closed when the job said that it ended', async () => {
    const { job, clock, session } = start();
    await settle();
    job.runState('ended');
    job.end('shuttingDown', 4461);
    await clock.advance(60_000);
    expect(session.connectionReport).toMatchObject({ state: 'closed', problem: null });
    expect(job.targets).toHaveLength(1);
  });

  it('rests when the job was ended by a person here, until it is reached anew', async () => {
    const { job, clock, session } = start();
    await settle();
    job.refuse = 'unreachable';
    job.end('shuttingDown', 4461);
    session.rest();
    await clock.advance(60_000);
    expect(session.connectionReport).toMatchObject({ state: 'closed', problem: null });
    expect(job.targets).toHaveLength(1);
    job.refuse = null;
    session.retarget({ address: 'ws://127.0.0.1:2/', token: null });
    await settle();
    expect(session.connectionReport.state).toBe('live');
  });

  it('keeps the first moment of a loss while it tries', async () => {
    const { job, clock, session } = start();
    await settle();
    const at = clock.now();
    job.refuse = 'unreachable';
    job.end('closed');
    await clock.advance(10_000);
    expect(session.connectionReport).toMatchObject({ since: at });
    expect(['lost', 'connecting']).toContain(session.connectionReport.state);
  });

  it('stops, and does not blame the job, when its own store fails', async () => {
    const { job, clock, session, model } = start();
    await settle();
    model.apply = () => {
      throw new TypeError('a defect');
    };
    job.step(1);
    await clock.advance(60_000);
    expect(session.connectionReport).toMatchObject({ state: 'refused', problem: { kind: 'workerFailed' } });
    expect(job.targets).toHaveLength(1);
  });

  it('never writes its token into the log', async () => {
    const { job, logged, clock } = start((j) => (j.refuse = 'unreachable'));
    await settle();
    job.refuse = 'tokenRefused';
    await clock.advance(1000);
    expect(logged.length).toBeGreaterThan(0);
    expect(logged.join('\n')).not.toContain('secret-token');
  });
});

function events(params: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', method: 'events', params });
}
