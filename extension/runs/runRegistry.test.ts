import { describe, expect, it } from 'vitest';
import type { OpenParams } from '../session/workerMessages';
import { SessionClient, type WorkerThread } from '../session/sessionClient';
import type { FoundRun } from './discovery';
import { RunRegistry } from './runRegistry';

const QUIET = {
  error: () => undefined,
  warn: () => undefined,
  info: () => undefined,
  debug: () => undefined,
};

function setUp(remembered?: unknown) {
  const opened: OpenParams[] = [];
  const posted: { name?: string; body?: unknown }[] = [];
  const memory = new Map<string, unknown>(
    remembered === undefined ? [] : [['rolloutscope.attached', remembered]],
  );
  const registry = new RunRegistry({
    openSession: (open) => {
      opened.push(open);
      const worker: WorkerThread = {
        postMessage: (message) => void posted.push(message as { name?: string; body?: unknown }),
        on: () => undefined,
        terminate: () => undefined,
      };
      return new SessionClient(worker, open, QUIET);
    },
    client: { name: 'test', version: '0' },
    storedToken: () => Promise.resolve('stored-token'),
    memory: {
      get: (key) => memory.get(key),
      update: (key, value) => Promise.resolve(void memory.set(key, value)),
    },
    log: QUIET,
  });
  const retargets = () => posted.filter(({ name }) => name === 'retarget').map(({ body }) => body);
  return { registry, opened, memory, retargets };
}

const found = (over: Partial<FoundRun['discovery']> = {}, place: FoundRun['place'] = 'here'): FoundRun => ({
  file: '/f',
  place,
  discovery: {
    version: 1,
    host: 'h',
    bootId: '',
    pid: 1,
    address: 'ws://127.0.0.1:7777/',
    run: 'run-1',
    name: 'Run one',
    incarnation: 1,
    startedAt: 1,
    tokens: { read: 'r'.repeat(20), steer: 's'.repeat(20) },
    ...over,
  },
});

describe('the runs of a window', () => {
  it('open files of results once a choice, and again after a reload', async () => {
    const first = setUp();
    const files = ['/data/a.jsonl', '/data/b.jsonl'];
    first.registry.openResults(files, {});
    expect(first.registry.openResults(files, {}).name).toBe('a.jsonl + 1');
    first.registry.openResults(files, { threshold: 0.5 });
    expect(first.opened).toEqual([
      { kind: 'results', files, choice: {} },
      { kind: 'results', files, choice: { threshold: 0.5 } },
    ]);
    expect(first.registry.runs).toHaveLength(1);
    const again = setUp(first.memory.get('rolloutscope.attached'));
    await again.registry.restore([]);
    expect(again.opened).toEqual([{ kind: 'results', files, choice: { threshold: 0.5 } }]);
  });

  it('are attached once, with the steering token of their file, and remembered without it', () => {
    const { registry, opened, memory } = setUp();
    registry.attachFound(found());
    registry.attachFound(found());
    registry.openRecorded('/data/journal/');
    expect(opened).toHaveLength(2);
    expect(opened[0]).toMatchObject({
      kind: 'live',
      target: { address: 'ws://127.0.0.1:7777/', token: 's'.repeat(20) },
    });
    expect(registry.runs.map(({ key, name }) => [key, name])).toEqual([
      ['live:run-1', 'Run one'],
      ['recorded:/data/journal/', 'journal'],
    ]);
    expect(JSON.stringify([...memory])).not.toContain('ssss');
  });

  it('come back after a reload: found, by address with the stored token, recorded', async () => {
    const first = setUp();
    first.registry.attachFound(found());
    first.registry.attachAddress('wss://trainer.example/', 'typed');
    first.registry.openRecorded('/data/journal');
    const again = setUp(first.memory.get('rolloutscope.attached'));
    await again.registry.restore([found({ address: 'ws://127.0.0.1:8888/' })]);
    expect(again.opened).toMatchObject([
      { target: { address: 'ws://127.0.0.1:8888/', token: 's'.repeat(20) } },
      { target: { address: 'wss://trainer.example/', token: 'stored-token' } },
      { kind: 'recorded', folder: '/data/journal' },
    ]);
  });

  it('come back also when the job is not found, without a token', async () => {
    const { registry, opened } = setUp([
      { kind: 'found', run: 'run-1', name: 'Run one', address: 'ws://127.0.0.1:7777/' },
    ]);
    await registry.restore([]);
    expect(opened).toMatchObject([{ target: { address: 'ws://127.0.0.1:7777/', token: null } }]);
  });

  it('do not come back from a memory that was tampered with', async () => {
    const { registry, opened } = setUp([
      { kind: 'address', address: 'ws://evil.example/' },
      { kind: 'found', run: 'r' },
      'x',
    ]);
    await registry.restore([]);
    expect(opened).toEqual([]);
  });

  it('are followed when the job restarts elsewhere on this machine, and only then', () => {
    const { registry, retargets } = setUp();
    registry.attachFound(found());
    registry.follow([found()]);
    expect(retargets()).toEqual([]);
    const moved = {
      address: 'ws://127.0.0.1:9999/',
      tokens: { read: 'x'.repeat(20), steer: 'y'.repeat(20) },
    };
    registry.follow([found(moved, 'elsewhere')]);
    expect(retargets()).toEqual([]);
    registry.follow([found(moved)]);
    registry.follow([found(moved)]);
    expect(retargets()).toEqual([{ address: 'ws://127.0.0.1:9999/', token: 'y'.repeat(20) }]);
    expect(registry.get('live:run-1')?.where).toBe('ws://127.0.0.1:9999/');
  });

  it('know the process of their job, also after a reload and a restart on the same port', async () => {
    const { registry, memory, retargets } = setUp();
    registry.attachFound(found());
    expect(registry.get('live:run-1')?.process?.pid).toBe(1);
    registry.follow([found({ pid: 22 })]);
    expect(registry.get('live:run-1')?.process?.pid).toBe(22);
    expect(retargets()).toEqual([]);
    const again = setUp(memory.get('rolloutscope.attached'));
    await again.registry.restore([]);
    expect(again.registry.get('live:run-1')?.process).toEqual({ host: 'h', bootId: '', pid: 22 });
  });

  it('end with detach', () => {
    const { registry, memory } = setUp();
    registry.attachFound(found());
    let told = 0;
    registry.onDidChangeList(() => told++);
    registry.detach('live:run-1');
    registry.detach('live:run-1');
    expect(registry.runs).toEqual([]);
    expect(told).toBe(1);
    expect(memory.get('rolloutscope.attached')).toEqual([]);
  });
});
