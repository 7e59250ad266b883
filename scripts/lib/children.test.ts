import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startGroup } from './children.mjs';

const alive = (pid: number): boolean => {
  try {
    // A zombie that nobody has collected yet answers signals, but it runs no more.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};

describe.runIf(process.platform === 'linux')('startGroup', () => {
  let folder: string;
  let pidFile: string;
  /** A program that starts another one, as the served VS Code starts its extension host. */
  const nested = (): [string, string[]] => [
    'sh',
    ['-c', `sleep 1000 & echo $! > "${pidFile}.new" && mv "${pidFile}.new" "${pidFile}"; wait`],
  ];
  const nestedPid = async (): Promise<number> => {
    await expect.poll(() => existsSync(pidFile), { timeout: 10_000 }).toBe(true);
    return Number(readFileSync(pidFile, 'utf8'));
  };

  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'rs-children-'));
    pidFile = path.join(folder, 'pid');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('ends what the program has started', async () => {
    const group = startGroup(...nested(), { env: process.env, output: 'ignore' });
    const pid = await nestedPid();
    expect(alive(pid)).toBe(true);
    await group.stop();
    await expect.poll(() => alive(pid)).toBe(false);
  });

  it('tells the exit code, and 127 for a program that is not there', async () => {
    const options = { env: process.env, output: 'ignore' } as const;
    expect(await startGroup('sh', ['-c', 'exit 3'], options).ended).toBe(3);
    expect(await startGroup(path.join(folder, 'none'), [], options).ended).toBe(127);
  });

  it('leaves nothing behind when the script that started it is killed', async () => {
    const module = pathToFileURL(path.join(import.meta.dirname, 'children.mjs')).href;
    const [command, args] = nested();
    const script = `import { startGroup } from ${JSON.stringify(module)};
      startGroup(${JSON.stringify(command)}, ${JSON.stringify(args)}, { env: process.env, output: 'ignore' });
      setInterval(() => {}, 1000);`;
    const starter = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' });
    const pid = await nestedPid();
    expect(alive(pid)).toBe(true);
    starter.kill('SIGKILL');
    await expect.poll(() => alive(pid), { timeout: 10_000 }).toBe(false);
  });
});
