import { describe, expect, it } from 'vitest';
import { comeBack } from './comeBack';
import { mayUseUnasked } from './consent';
import type { DiscoveryWatcher, FoundRun } from './discovery';
import type { Memory, RunRegistry } from './runRegistry';

const at = (address: string, place: FoundRun['place'] = 'here') =>
  ({ file: `${address}.json`, place, discovery: { address } }) as FoundRun;
const addressesOf = (found: readonly FoundRun[]) => found.map(({ discovery }) => discovery.address);

async function back(found: FoundRun[], agreed: unknown) {
  const memory: Memory = { get: () => agreed, update: () => Promise.resolve() };
  const attached: FoundRun[] = [];
  const restored: FoundRun[] = [];
  const logged: string[] = [];
  const registry = {
    restore: (usable: readonly FoundRun[]) => Promise.resolve(void restored.push(...usable)),
    attachFound: (one: FoundRun) => void attached.push(one),
  } as unknown as RunRegistry;
  const discovery = {
    start: () => undefined,
    refresh: () => Promise.resolve(found),
  } as unknown as DiscoveryWatcher;
  await comeBack(registry, discovery, {
    attachFound: true,
    mayUse: (address) => mayUseUnasked(memory, address),
    onRestored: () => undefined,
    onAttached: () => undefined,
    log: (message) => void logged.push(message),
  });
  return { attached: addressesOf(attached), restored: addressesOf(restored), logged };
}

describe('coming back', () => {
  const here = 'ws://127.0.0.1:7777';
  const far = 'wss://far.example:7777/';

  it('attaches by itself to this machine, and to no other that nobody agreed to', async () => {
    const { attached, restored, logged } = await back(
      [at(here), at(far), at('ws://far.example:1')],
      undefined,
    );
    expect(attached).toEqual([here]);
    expect(restored).toEqual([here]);
    expect(logged).toHaveLength(2);
    expect(logged[0]).toContain(far);
  });

  it('attaches to what was agreed to before, when it runs here', async () => {
    const { attached, logged } = await back(
      [at(here), at(far), at(here, 'elsewhere')],
      ['wss://far.example:7777'],
    );
    expect(attached).toEqual([here, far]);
    expect(logged).toEqual([]);
  });
});
