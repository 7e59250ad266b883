import { readFileSync, watch, type FSWatcher } from 'node:fs';
import { lstat, readFile, readdir } from 'node:fs/promises';
import { homedir, hostname } from 'node:os';
import { join } from 'node:path';
import { DISCOVERY_STALE_SECONDS, Discovery } from '../../protocol/wire/handshake';
import { check } from '../../protocol/wire/rpc';
import { Emitter, messageOf, type Disposable, type Log } from '../lifecycle';

/** Folders change without a notice on shared disks, and a job dies without removing its file. */
const POLL_MS = 5_000;
const SETTLE_MS = 100;
const MAX_FILE_BYTES = 64 * 1024;
const MAX_FILES = 256;
/** `<run>-<pid>.json`; a job may put it beside its own files. */
const FILE_NAME = /-\d+\.json$/;

/**
 * `here`: runs on this machine. `elsewhere`: on another host, its file was touched lately; it is reached through a
 * tunnel unless its address is wss. Left-over files are not listed.
 */
export interface FoundRun {
  readonly file: string;
  readonly place: 'here' | 'elsewhere';
  readonly discovery: Discovery;
}

/** What this machine is, as a discovery file would say it. */
export interface Machine {
  readonly host: string;
  readonly bootId: string;
  readonly isAlive: (pid: number) => boolean;
}

export const thisMachine: Machine = {
  host: hostname(),
  bootId: readBootId(),
  isAlive: (pid) => {
    try {
      process.kill(pid, 0);
      return true;
    } catch (error) {
      return error instanceof Error && 'code' in error && error.code === 'EPERM';
    }
  },
};

function readBootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}

/** Both places where jobs of this user announce themselves, whichever of them the job’s environment chose. */
export function discoveryFolders(env: NodeJS.ProcessEnv, home = homedir()): string[] {
  const runtime = env['XDG_RUNTIME_DIR'];
  const folders = [join(home, '.rolloutscope', 'run')];
  if (runtime !== undefined && runtime !== '') folders.unshift(join(runtime, 'rolloutscope'));
  return folders;
}

/**
 * Whether a file speaks of a job that runs. On the same host the pid decides (a pid of another boot means nothing);
 * on another host the age of the file.
 *
 * @param ageSeconds since the job last touched the file.
 */
export function placeOf(
  { host, bootId, pid }: Pick<Discovery, 'host' | 'bootId' | 'pid'>,
  ageSeconds: number,
  machine: Machine,
): FoundRun['place'] | 'gone' {
  if (host !== machine.host) return ageSeconds <= DISCOVERY_STALE_SECONDS ? 'elsewhere' : 'gone';
  if (bootId !== '' && machine.bootId !== '' && bootId !== machine.bootId) return 'gone';
  return machine.isAlive(pid) ? 'here' : 'gone';
}

/** Reads one folder. A file that is not the user’s own, or that others may write, is passed over: it names an address and a token. */
export async function readFolder(
  folder: string,
  machine: Machine,
  now: number,
  onSkipped: (file: string, why: string) => void,
): Promise<FoundRun[]> {
  let names: string[];
  try {
    names = (await readdir(folder)).filter((name) => FILE_NAME.test(name));
  } catch {
    return [];
  }
  const found: FoundRun[] = [];
  for (const name of names.slice(0, MAX_FILES)) {
    const file = join(folder, name);
    try {
      const { uid, mode, size, mtimeMs } = await lstat(file);
      if (!isFile(mode)) continue;
      if (process.getuid && uid !== process.getuid()) throw new Error('it belongs to another user');
      if (process.platform !== 'win32' && (mode & 0o022) !== 0) throw new Error('others may write it');
      if (size > MAX_FILE_BYTES) throw new Error('it is too large');
      const discovery = check(Discovery, JSON.parse(await readFile(file, 'utf8')), 'discovery file');
      const place = placeOf(discovery, (now - mtimeMs) / 1000, machine);
      if (place !== 'gone') found.push({ file, place, discovery });
    } catch (error) {
      if (isMissing(error)) continue;
      onSkipped(file, error instanceof SyntaxError ? 'it is not JSON' : messageOf(error));
    }
  }
  return found;
}

const S_IFMT = 0o170000;
const S_IFREG = 0o100000;
const isFile = (mode: number): boolean => (mode & S_IFMT) === S_IFREG;
const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** One run may announce itself in several folders; of several lives the newest is the run. */
export function withoutRepeats(found: readonly FoundRun[]): FoundRun[] {
  const byRun = new Map<string, FoundRun>();
  for (const one of found) {
    const other = byRun.get(one.discovery.run);
    if (!other || one.discovery.startedAt > other.discovery.startedAt) byRun.set(one.discovery.run, one);
  }
  return [...byRun.values()].sort((a, b) => a.discovery.name.localeCompare(b.discovery.name));
}

/** Watches the folders and tells when the runs that are found change. */
export class DiscoveryWatcher implements Disposable {
  private readonly changes = new Emitter<readonly FoundRun[]>((error) => this.log.error(messageOf(error)));
  readonly onDidChange = this.changes.event;
  private found: readonly FoundRun[] = [];
  private readonly watchers = new Map<string, FSWatcher>();
  private readonly skipped = new Set<string>();
  private poll: NodeJS.Timeout | undefined;
  private soon: NodeJS.Timeout | undefined;
  private reading: Promise<readonly FoundRun[]> | null = null;

  constructor(
    private readonly folders: () => readonly string[],
    private readonly log: Log,
    private readonly machine: Machine = thisMachine,
  ) {}

  get runs(): readonly FoundRun[] {
    return this.found;
  }

  start(): void {
    if (this.poll) return;
    this.poll = setInterval(() => void this.refresh(), POLL_MS);
    this.poll.unref();
    void this.refresh();
  }

  /** Reads the folders now. Calls that come while one reads share its answer. */
  refresh(): Promise<readonly FoundRun[]> {
    this.reading ??= this.read().finally(() => {
      this.reading = null;
    });
    return this.reading;
  }

  dispose(): void {
    clearInterval(this.poll);
    clearTimeout(this.soon);
    for (const watcher of this.watchers.values()) watcher.close();
    this.watchers.clear();
    this.changes.dispose();
  }

  private async read(): Promise<readonly FoundRun[]> {
    const folders = [...new Set(this.folders())];
    const lists = await Promise.all(
      folders.map((folder) =>
        readFolder(folder, this.machine, Date.now(), (file, why) => this.noteSkipped(file, why)),
      ),
    );
    for (const folder of folders) this.watchFolder(folder);
    const found = withoutRepeats(lists.flat());
    const changed = JSON.stringify(found) !== JSON.stringify(this.found);
    this.found = found;
    if (changed) this.changes.fire(found);
    return found;
  }

  /** Notices are quick, polling is sure: where a folder cannot be watched, polling alone serves. */
  private watchFolder(folder: string): void {
    if (!this.poll || this.watchers.has(folder)) return;
    try {
      const watcher = watch(folder, { persistent: false }, () => {
        clearTimeout(this.soon);
        this.soon = setTimeout(() => void this.refresh(), SETTLE_MS);
      });
      const forget = () => {
        watcher.close();
        this.watchers.delete(folder);
      };
      watcher.on('error', forget);
      this.watchers.set(folder, watcher);
    } catch {
      // Not there yet.
    }
  }

  private noteSkipped(file: string, why: string): void {
    const line = `${file} was passed over: ${why}`;
    if (this.skipped.has(line)) return;
    this.skipped.add(line);
    this.log.warn(line);
  }
}
