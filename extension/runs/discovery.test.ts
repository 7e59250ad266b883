import { chmod, mkdtemp, rm, symlink, unlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Discovery } from '../../protocol/wire/handshake';
import {
  DiscoveryWatcher,
  discoveryFolders,
  placeOf,
  readFolder,
  withoutRepeats,
  type Machine,
} from './discovery';

const machine: Machine = { host: 'login03', bootId: 'boot-2', isAlive: (pid) => pid === 42 };
const file = (over: Partial<Discovery> = {}): Discovery => ({
  version: 1,
  host: 'login03',
  bootId: 'boot-2',
  pid: 42,
  address: 'ws://127.0.0.1:7777/',
  run: 'run-1',
  name: 'Run one',
  incarnation: 1,
  startedAt: 1,
  tokens: { read: 'r'.repeat(32), steer: 's'.repeat(32) },
  ...over,
});

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'found-'));
});
afterEach(() => rm(folder, { recursive: true }));

const write = (name: string, content: unknown, mode = 0o600) =>
  writeFile(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content), { mode });

describe('a discovery file', () => {
  it.each([
    ['alive on this host and boot', file(), 5, 'here'],
    ['alive, though not touched for long (a job that computes)', file(), 5000, 'here'],
    ['dead on this host', file({ pid: 43 }), 1, 'gone'],
    ['of another boot, its pid taken by somebody', file({ bootId: 'boot-1' }), 1, 'gone'],
    ['of a system without boot ids', file({ bootId: '' }), 1, 'here'],
    ['fresh on another host, whatever its pid', file({ host: 'node7', pid: 43 }), 30, 'elsewhere'],
    ['stale on another host', file({ host: 'node7' }), 61, 'gone'],
  ])('%s', (_what, content, age, place) => {
    expect(placeOf(content, age, machine)).toBe(place);
  });

  it('is looked for under XDG_RUNTIME_DIR and in the home folder', () => {
    expect(discoveryFolders({ XDG_RUNTIME_DIR: '/run/user/1' }, '/home/x')).toEqual([
      '/run/user/1/rolloutscope',
      '/home/x/.rolloutscope/run',
    ]);
    expect(discoveryFolders({}, '/home/x')).toEqual(['/home/x/.rolloutscope/run']);
  });
});

describe('a folder of discovery files', () => {
  it('passes over what others could have written, links, what is no discovery file, and files of other names', async () => {
    await write('good-1.json', file());
    await write('writable-1.json', file({ run: 'run-2' }));
    await chmod(join(folder, 'writable-1.json'), 0o666);
    await write('torn-1.json', '{"version":1');
    await write('other-1.json', { version: 1, hello: true });
    await write('run.json', { format: 'rolloutscope-journal' });
    await symlink(join(folder, 'good-1.json'), join(folder, 'link-1.json'));
    const skipped: string[] = [];
    const found = await readFolder(folder, machine, Date.now(), (path, why) => {
      skipped.push(`${path.slice(folder.length + 1)}: ${why}`);
    });
    expect(found.map(({ discovery }) => discovery.run)).toEqual(['run-1']);
    expect(skipped.map((line) => line.split(':')[0]).sort()).toEqual([
      'other-1.json',
      'torn-1.json',
      'writable-1.json',
    ]);
    expect(skipped.join()).not.toContain('rrrr');
  });

  it('that is not there holds nothing', async () => {
    expect(await readFolder(join(folder, 'none'), machine, 0, () => undefined)).toEqual([]);
  });

  it('ages a file of another host by when it was touched', async () => {
    await write('far-1.json', file({ host: 'node7' }));
    const now = Date.now();
    await utimes(join(folder, 'far-1.json'), now / 1000 - 120, now / 1000 - 120);
    expect(await readFolder(folder, machine, now, () => undefined)).toEqual([]);
    expect(await readFolder(folder, machine, now - 100_000, () => undefined)).toHaveLength(1);
  });

  it('lists a run once, by its newest life', () => {
    const of = (over: Partial<Discovery>) => ({ file: 'f', place: 'here' as const, discovery: file(over) });
    const found = withoutRepeats([
      of({}),
      of({ startedAt: 9, incarnation: 2 }),
      of({ run: 'run-0', name: 'A' }),
    ]);
    expect(found.map(({ discovery }) => [discovery.name, discovery.incarnation])).toEqual([
      ['A', 1],
      ['Run one', 2],
    ]);
  });
});

describe('the watcher', () => {
  it('tells when a run comes and when it goes', async () => {
    const quiet = {
      error: () => undefined,
      warn: () => undefined,
      info: () => undefined,
      debug: () => undefined,
    };
    const watcher = new DiscoveryWatcher(() => [folder], quiet, machine);
    const told: string[][] = [];
    watcher.onDidChange((runs) => void told.push(runs.map(({ discovery }) => discovery.run)));
    await watcher.refresh();
    await write('a-1.json', file());
    await watcher.refresh();
    await watcher.refresh();
    await unlink(join(folder, 'a-1.json'));
    await watcher.refresh();
    watcher.dispose();
    expect(told).toEqual([['run-1'], []]);
  });
});
