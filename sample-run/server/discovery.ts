import { readFileSync, unlinkSync } from 'node:fs';
import { mkdir, readdir, rename, stat, unlink, utimes, writeFile } from 'node:fs/promises';
import { homedir, hostname } from 'node:os';
import { join } from 'node:path';
import { DISCOVERY_TOUCH_SECONDS, Discovery } from '../../protocol/wire/handshake';
import { check } from '../../protocol/wire/rpc';

/** Changes with every boot of the machine; empty where the system has none. */
export function readBootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}

export const hostName = (): string => hostname();

export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
};

/** The user’s folder for running jobs: under XDG_RUNTIME_DIR where that is a folder, else under the home folder. */
export async function discoveryFolder(env: NodeJS.ProcessEnv, home: string = homedir()): Promise<string> {
  const runtime = env['XDG_RUNTIME_DIR'];
  if (runtime !== undefined && runtime !== '') {
    try {
      if ((await stat(runtime)).isDirectory()) return join(runtime, 'rolloutscope');
    } catch {
      // Not there, as under some service managers: the home folder serves.
    }
  }
  return join(home, '.rolloutscope', 'run');
}

/** The files by which a job is found, kept fresh while it runs. A folder that takes no file is passed over. */
export class DiscoveryFiles {
  private paths: string[] = [];
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly content: Discovery,
    private readonly folders: readonly string[],
  ) {}

  get written(): readonly string[] {
    return this.paths;
  }

  /** Writes the files and takes away those that a killed start of this run left on this machine. */
  async publish(): Promise<void> {
    for (const folder of new Set(this.folders)) {
      const path = join(folder, `${this.content.run}-${this.content.pid}.json`);
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await this.removeLeftOver(folder);
        await this.write(path);
        this.paths.push(path);
      } catch {
        // The other folder, or the printed address, remains.
      }
    }
    this.timer = setInterval(() => void this.touch(), DISCOVERY_TOUCH_SECONDS * 1000);
    this.timer.unref();
  }

  /** Synchronous, because it runs while the process ends. */
  remove(): void {
    if (this.timer) clearInterval(this.timer);
    for (const path of this.paths) {
      try {
        unlinkSync(path);
      } catch {
        // Somebody was quicker.
      }
    }
    this.paths = [];
  }

  private async write(path: string): Promise<void> {
    await writeFile(`${path}.new`, `${JSON.stringify(this.content, null, 2)}\n`, { mode: 0o600 });
    await rename(`${path}.new`, path);
  }

  private async touch(): Promise<void> {
    const now = new Date();
    for (const path of this.paths) {
      try {
        await utimes(path, now, now);
      } catch {
        await this.write(path).catch(() => undefined);
      }
    }
  }

  private async removeLeftOver(folder: string): Promise<void> {
    const { run, host, bootId } = this.content;
    for (const name of await readdir(folder)) {
      if (!name.startsWith(`${run}-`) || !name.endsWith('.json')) continue;
      const path = join(folder, name);
      try {
        const other = check(Discovery, JSON.parse(readFileSync(path, 'utf8')), 'discovery file');
        const gone = other.bootId !== bootId || !isAlive(other.pid);
        if (other.run === run && other.host === host && gone) await unlink(path);
      } catch {
        // Not one of ours: left alone.
      }
    }
  }
}
