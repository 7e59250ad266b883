import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Discovery } from '../../protocol/wire/handshake';
import { check } from '../../protocol/wire/rpc';
import { DiscoveryFiles, discoveryFolder } from './discovery';
import { loadTokens, scopeOf } from './tokens';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'discovery-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const content = (run: string, pid: number): Discovery => ({
  version: 1,
  host: 'here',
  bootId: 'boot',
  pid,
  address: 'ws://127.0.0.1:1',
  run,
  name: run,
  incarnation: 1,
  startedAt: 0,
  tokens: { read: 'r'.repeat(20), steer: 's'.repeat(20) },
});

describe('the discovery files', () => {
  it('are private, readable by the schema, and gone afterwards', async () => {
    const files = new DiscoveryFiles(content('run', process.pid), [join(folder, 'a'), join(folder, 'b')]);
    await files.publish();
    for (const part of ['a', 'b']) {
      const path = join(folder, part, `run-${process.pid}.json`);
      expect((await stat(path)).mode & 0o777).toBe(0o600);
      expect(check(Discovery, JSON.parse(await readFile(path, 'utf8')), 'file').run).toBe('run');
    }
    files.remove();
    expect(await readdir(join(folder, 'a'))).toEqual([]);
  });

  it('take away what a killed start of the same run left, and nothing else', async () => {
    const dead = 2 ** 22 - 1;
    const write = (name: string, value: unknown) => writeFile(join(folder, name), JSON.stringify(value));
    await write(`run-${dead}.json`, content('run', dead));
    await write(`run-2-${dead}.json`, content('run-2', dead));
    await write(`run-${process.ppid}.json`, content('run', process.ppid));
    await write('run-notes.json', { mine: true });
    const files = new DiscoveryFiles(content('run', process.pid), [folder]);
    await files.publish();
    expect((await readdir(folder)).sort()).toEqual(
      [`run-${process.pid}.json`, `run-2-${dead}.json`, `run-${process.ppid}.json`, 'run-notes.json'].sort(),
    );
    files.remove();
  });

  it('live under XDG_RUNTIME_DIR where it is a folder, else in the home folder', async () => {
    expect(await discoveryFolder({ XDG_RUNTIME_DIR: folder }, '/home/x')).toBe(join(folder, 'rolloutscope'));
    expect(await discoveryFolder({ XDG_RUNTIME_DIR: '/not/there' }, '/home/x')).toBe(
      '/home/x/.rolloutscope/run',
    );
    expect(await discoveryFolder({}, '/home/x')).toBe('/home/x/.rolloutscope/run');
  });
});

describe('tokens', () => {
  it('stay the same over restarts and are private', async () => {
    const path = join(folder, 'tokens.json');
    const first = await loadTokens(path);
    expect(await loadTokens(path)).toEqual(first);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(first.read).not.toBe(first.steer);
  });

  it('give their own scope and nothing else', () => {
    const pair = { read: 'a'.repeat(20), steer: 'b'.repeat(20) };
    expect(scopeOf(`Bearer ${pair.read}`, pair)).toBe('read');
    expect(scopeOf(`bearer ${pair.steer}`, pair)).toBe('steer');
    for (const header of [
      undefined,
      '',
      'Bearer ',
      `Bearer ${pair.steer}x`,
      pair.steer,
      `Bearer  ${pair.read}`,
    ]) {
      expect(scopeOf(header, pair)).toBe(null);
    }
  });
});
