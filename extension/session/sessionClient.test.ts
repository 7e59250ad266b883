import { MessageChannel } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import { SessionClient, type WorkerThread } from './sessionClient';
import { FakeClock, settle } from './testing/fakeClock';
import { FakeJob } from './testing/fakeJob';
import { FakeModel } from './testing/fakeModel';
import type { ModelHost } from './runModel';
import { WorkerCore } from './workerCore';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

const QUIET = {
  error: () => undefined,
  warn: () => undefined,
  info: () => undefined,
  debug: () => undefined,
};

/** A client and the worker's core in one thread, over a real message port: what crosses it is cloned or moved. */
function pair(opening: Promise<void> = Promise.resolve()) {
  const { port1, port2 } = new MessageChannel();
  const job = new FakeJob();
  const model = new FakeModel();
  const clock = new FakeClock();
  let host: ModelHost | null = null;
  new WorkerCore({
    post: (message, buffers) => port2.postMessage(message, buffers),
    onMessage: (listener) => port2.on('message', listener),
    connect: job.connect,
    openModel: (_params, modelHost) => {
      host = modelHost;
      return opening.then(() => model);
    },
    clock,
    random: () => 0,
  });
  const failures: ((error: Error) => void)[] = [];
  const worker: WorkerThread = {
    postMessage: (message) => port1.postMessage(message),
    on: (event: string, listener: (value: never) => void) => {
      if (event === 'message') port1.on('message', listener as (value: unknown) => void);
      if (event === 'error') failures.push(listener as (error: Error) => void);
    },
    terminate: () => port1.close(),
  };
  const client = new SessionClient(
    worker,
    {
      kind: 'live',
      target: { address: 'ws://127.0.0.1:1/', token: null },
      client: { name: 't', version: '0' },
    },
    QUIET,
    () => clock.now(),
  );
  closers.push(() => client.dispose());
  const pass = async (ms = 0) => {
    for (let i = 0; i < 6; i++) await settle();
    await clock.advance(ms);
    for (let i = 0; i < 6; i++) await settle();
  };
  return {
    client,
    job,
    model,
    pass,
    failures,
    changed: () => {
      model.bump('overview');
      host?.onChanged();
    },
  };
}

describe('a session over its worker', () => {
  it('reports the connection and the run', async () => {
    const { client, pass } = pair();
    await pass();
    await pass(300);
    expect(client.report).toMatchObject({
      state: 'live',
      info: { run: { id: 'run-1' }, incarnation: { number: 1 } },
    });
  });

  it('moves arrays of a view, keeps NaN, and sends the next after it was drawn', async () => {
    const { client, model, pass, changed } = pair();
    let n = 0;
    const columns = () => ({ rate: new Float32Array([Number.NaN, n]), list: [Number.NaN, n++] });
    model.views = columns;
    await pass();
    const got: unknown[] = [];
    const packed: unknown[] = [];
    let release: () => void = () => undefined;
    client.subscribe('overview', { step: null }, (data) => void got.push(data));
    client.subscribePacked('overview', { step: null }, (data, drawn) => {
      packed.push(data);
      release = drawn;
    });
    await pass();
    expect(got).toEqual([{ rate: new Float32Array([Number.NaN, 0]), list: [Number.NaN, 0] }]);
    changed();
    await pass(300);
    changed();
    await pass(300);
    expect(got).toHaveLength(3);
    expect(packed).toHaveLength(1);
    expect(packed[0]).toMatchObject({ list: { $numbers: new Float64Array([Number.NaN, 1]) } });
    release();
    await pass(300);
    expect(packed).toHaveLength(2);
  });

  it('takes what is asked while the run is still being opened, as a long journal is', async () => {
    let opened: () => void = () => undefined;
    const { client, model, pass } = pair(new Promise((resolve) => (opened = resolve)));
    model.views = (name) => ({ name });
    const got: unknown[] = [];
    client.subscribe('overview', { step: null }, (data) => void got.push(data));
    client.subscribe('steering', { limit: 1 }, () => void got.push('never')).dispose();
    const query = client.query('events', { subjectType: 'run', id: 'r', limit: 1 });
    query.catch(() => undefined);
    await pass();
    expect(got).toEqual([]);
    opened();
    await pass();
    expect(got).toEqual([{ name: 'overview' }]);
    await expect(query).rejects.toThrow('events: not here');
  });

  it('takes a new address, and that the job was ended, while the run is still being opened', async () => {
    let opened: () => void = () => undefined;
    const { client, job, pass } = pair(new Promise((resolve) => (opened = resolve)));
    client.retarget({ address: 'ws://127.0.0.1:2/', token: 'new' });
    client.rest();
    await pass();
    opened();
    await pass();
    await pass(300);
    expect(job.targets.at(-1)).toEqual({ address: 'ws://127.0.0.1:2/', token: 'new' });
    expect(client.report).toMatchObject({ state: 'closed' });
  });

  it('answers a steering request, or says why there is no answer', async () => {
    const { client, job, pass } = pair();
    await pass();
    const request = { commandId: 'c1', incarnation: 1, author: 'a', n: 1 };
    job.answer = ({ method }) =>
      method === 'steer.step'
        ? { result: { commandId: 'c1', state: 'requested', changed: true, sentence: 'One step.' } }
        : undefined;
    const done = client.steer('step', request);
    await pass();
    expect(await done).toMatchObject({ answer: { state: 'requested' } });

    job.answer = () => ({ error: { code: -32010, message: 'the token may only read' } });
    const refused = client.steer('step', request);
    await pass();
    expect(await refused).toEqual({ failure: 'forbidden', detail: 'the token may only read' });

    const invalid = client.steer('step', { ...request, n: 0 });
    await pass();
    expect(await invalid).toMatchObject({ failure: 'invalid' });

    job.answer = ({ method }) => (method === 'steer.step' ? { result: { state: 'nonsense' } } : undefined);
    const malformed = client.steer('step', request);
    await pass();
    expect(await malformed).toMatchObject({ failure: 'unknown' });

    job.answer = ({ method }) => (method === 'steer.step' ? null : undefined);
    const dropped = client.steer('step', request);
    await pass();
    const sent = job.requests.length;
    job.end('closed');
    await pass();
    expect(await dropped).toMatchObject({ failure: 'unknown' });

    const lost = client.steer('step', request);
    await pass();
    expect(await lost).toMatchObject({ failure: 'notConnected' });
    expect(job.requests).toHaveLength(sent);
  });

  it('does not know what became of a steering request without an answer in time', async () => {
    const { client, job, pass } = pair();
    await pass();
    job.answer = ({ method }) => (method === 'steer.step' ? null : undefined);
    const late = client.steer('step', { commandId: 'c1', incarnation: 1, author: 'a', n: 1 });
    await pass();
    await pass(30_000);
    expect(await late).toMatchObject({ failure: 'unknown' });
  });

  it('says so when its worker fails, and keeps what it knew', async () => {
    const { client, pass, failures } = pair();
    await pass();
    await pass(300);
    failures[0]!(new Error('out of memory'));
    expect(client.report).toMatchObject({
      state: 'refused',
      problem: { kind: 'workerFailed', detail: 'out of memory' },
      info: { run: { id: 'run-1' } },
    });
    await expect(client.query('decision', { decision: 'd', subject: null })).rejects.toThrow();
  });
});
