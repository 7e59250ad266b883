import { describe, expect, it } from 'vitest';
import { runHeader } from '../runs/header';
import type { AttachedRun } from '../runs/runRegistry';
import { SessionClient } from '../session/sessionClient';
import { ViewFeed } from './viewFeed';

const QUIET = {
  error: () => undefined,
  warn: () => undefined,
  info: () => undefined,
  debug: () => undefined,
};

function fakeRun(key: string) {
  const posted: { name?: string; body?: { subscription: number; view?: string; params?: unknown } }[] = [];
  let receive: (message: unknown) => void = () => undefined;
  const client = new SessionClient(
    {
      postMessage: (message) => void posted.push(message as (typeof posted)[number]),
      on: (event: string, listener: (value: never) => void) => {
        if (event === 'message') receive = listener as (value: unknown) => void;
      },
      terminate: () => undefined,
    },
    { kind: 'recorded', folder: key },
    QUIET,
  );
  const place = { key, name: key, where: key };
  const run: AttachedRun = {
    ...place,
    client,
    remembered: { kind: 'recorded', folder: key },
    header: runHeader(place, null),
  };
  const names = () => posted.map(({ name }) => name).filter((name) => name !== 'open');
  const send = (subscription: number, data: unknown) =>
    receive({ rolloutscope: 'event', name: 'view', body: { subscription, version: 1, data } });
  return { run, names, send };
}

const page = (total: number) => ({ total, rows: [] });

describe('a feed of a native tree', () => {
  it('is subscribed while it is visible and acknowledges what it took', () => {
    const { run, names, send } = fakeRun('a');
    const feed = new ViewFeed('steering');
    feed.show(run, { limit: 10 }, false);
    expect(names()).toEqual([]);
    feed.show(run, { limit: 10 }, true);
    feed.show(run, { limit: 10 }, true);
    send(1, page(3));
    expect(feed.data).toEqual(page(3));
    feed.show(run, { limit: 10 }, false);
    expect(names()).toEqual(['subscribe', 'ack', 'unsubscribe']);
    expect(feed.data).toEqual(page(3));
  });

  it('keeps its data over new parameters, and drops it with the run', () => {
    const a = fakeRun('a');
    const b = fakeRun('b');
    const feed = new ViewFeed('steering');
    feed.show(a.run, { limit: 10 }, true);
    a.send(1, page(3));
    feed.show(a.run, { limit: 20 }, true);
    expect(feed.data).toEqual(page(3));
    feed.show(b.run, { limit: 20 }, true);
    expect(feed.data).toBeNull();
    a.send(2, page(9));
    expect(feed.data).toBeNull();
  });
});
