import { open, type FileHandle } from 'node:fs/promises';

/** What the journal needs of a disk; tests stand in a full one. */
export interface AppendDisk {
  open(path: string): Promise<AppendTarget>;
}
export interface AppendTarget {
  /** Resolves when all bytes are with the system. */
  append(data: Buffer): Promise<void>;
  close(): Promise<void>;
}

class DiskFile implements AppendTarget {
  constructor(private readonly handle: FileHandle) {}

  async append(data: Buffer): Promise<void> {
    await this.handle.appendFile(data);
  }

  async close(): Promise<void> {
    await this.handle.datasync();
    await this.handle.close();
  }
}

export const realDisk: AppendDisk = {
  open: async (path) => new DiskFile(await open(path, 'ax', 0o600)),
};

type Job = () => Promise<void>;

/**
 * Runs disk work one after another without making anybody wait for it. Bounded by bytes: a disk that hangs stops
 * the queue instead of filling the memory. After the first failure nothing more is written.
 */
export class AppendQueue {
  private jobs: { bytes: number; run: Job }[] = [];
  private bytes = 0;
  private running: Promise<void> | null = null;
  private failed: string | null = null;

  constructor(
    private readonly limitBytes: number,
    private readonly onFailure: (reason: string) => void,
  ) {}

  get failure(): string | null {
    return this.failed;
  }

  push(bytes: number, run: Job): void {
    if (this.failed !== null) return;
    if (this.bytes + bytes > this.limitBytes) {
      this.fail(`the disk is ${Math.round(this.bytes / 1e6)} MB behind`);
      return;
    }
    this.bytes += bytes;
    this.jobs.push({ bytes, run });
    this.running ??= this.drain();
  }

  /** Resolves when everything pushed so far is written or the queue has failed. */
  async idle(): Promise<void> {
    while (this.running) await this.running;
  }

  private async drain(): Promise<void> {
    // The first job starts on a later turn, so that a push never runs disk work itself.
    await Promise.resolve();
    for (let job = this.jobs.shift(); job !== undefined; job = this.jobs.shift()) {
      try {
        await job.run();
      } catch (error) {
        this.fail(error instanceof Error ? error.message : String(error));
      }
      this.bytes -= job.bytes;
    }
    this.running = null;
  }

  private fail(reason: string): void {
    if (this.failed !== null) return;
    this.failed = reason;
    for (const job of this.jobs) this.bytes -= job.bytes;
    this.jobs = [];
    this.onFailure(reason);
  }
}
