import { describe, expect, it } from 'vitest';
import { CheckScheduler } from './checkScheduler';
import type { Snapshot } from './checkScheduler';

/** A scheduler whose clock and checks a test moves by hand. */
function scripted() {
  const versions = new Map<string, number>();
  const waiting = new Map<number, () => void>();
  const checks: { snapshot: Snapshot; finish: (result: string) => void; fail: (error: Error) => void }[] = [];
  const published: string[] = [];
  const failed: string[] = [];
  let next = 0;
  const scheduler = new CheckScheduler<Snapshot, string>({
    check: (snapshot) => new Promise((finish, fail) => checks.push({ snapshot, finish, fail })),
    isCurrent: ({ uri, version }) => versions.get(uri) === version,
    publish: ({ uri, version }, result) => published.push(`${uri} ${version} ${result}`),
    fail: ({ uri }, error) => failed.push(`${uri} ${String(error)}`),
    timer: (callback) => {
      const id = next++;
      waiting.set(id, callback);
      return () => waiting.delete(id);
    },
    delay: 100,
  });
  const change = (uri: string, version: number): void => {
    versions.set(uri, version);
    scheduler.schedule({ uri, version });
  };
  const pass = (): void => {
    const due = [...waiting.values()];
    waiting.clear();
    for (const callback of due) callback();
  };
  const settle = (): Promise<void> => new Promise((done) => setImmediate(done));
  return { versions, checks, published, failed, scheduler, change, pass, settle };
}

describe('CheckScheduler', () => {
  it('checks once after several changes, and each document for itself', async () => {
    const { change, pass, checks, published, settle } = scripted();
    change('a', 1);
    change('a', 2);
    change('b', 1);
    pass();
    expect(checks.map(({ snapshot }) => snapshot)).toEqual([
      { uri: 'a', version: 2 },
      { uri: 'b', version: 1 },
    ]);
    checks[1]?.finish('second');
    checks[0]?.finish('first');
    await settle();
    expect(published.sort()).toEqual(['a 2 first', 'b 1 second']);
  });

  it('never hands out a result for a text that has changed or closed since', async () => {
    const { change, pass, checks, published, settle, versions, scheduler } = scripted();
    change('a', 1);
    pass();
    change('a', 2);
    checks[0]?.finish('stale');
    await settle();
    expect(published).toEqual([]);
    pass();
    versions.delete('a');
    scheduler.cancel('a');
    checks[1]?.finish('closed');
    await settle();
    expect(published).toEqual([]);
  });

  it('does not start a check for what closed while it waited, nor after its end', () => {
    const { change, pass, checks, versions, scheduler } = scripted();
    change('a', 1);
    versions.delete('a');
    pass();
    change('b', 1);
    scheduler.dispose();
    pass();
    expect(checks).toEqual([]);
  });

  it('tells a failure and goes on', async () => {
    const { change, pass, checks, failed, published, settle } = scripted();
    change('a', 1);
    pass();
    checks[0]?.fail(new Error('no'));
    await settle();
    change('a', 2);
    pass();
    checks[1]?.finish('yes');
    await settle();
    expect(failed).toEqual(['a Error: no']);
    expect(published).toEqual(['a 2 yes']);
  });
});
