import { mkdir, open, readFile, unlink } from 'node:fs/promises';
import { unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { Type, type Static, type TSchema } from '@sinclair/typebox';
import { check } from '../protocol/wire/rpc';
import { Count, Id } from '../protocol/wire/values';
import { writeWhole } from './job/checkpoint';
import { ControlState, MethodChoice } from './job/controlState';
import { isAlive, readBootId } from './server/discovery';

/** A mistake of whoever started the run; the message says what to do. */
export class StartError extends Error {}

/** What a run is started with, kept in `run.json` so that a restart needs no flags. */
export const SavedRun = Type.Object({
  version: Type.Literal(1),
  id: Id,
  name: Type.String({ maxLength: 256 }),
  startedAt: Type.Number(),
  /** Starts so far. */
  starts: Count,
  /** Port of the last start; tried again. */
  port: Count,
  seed: Type.Integer(),
  steps: Count,
  pace: Type.Number(),
  promptsPerStep: Count,
  groupSize: Count,
  allocation: MethodChoice,
  branching: MethodChoice,
  credit: MethodChoice,
});
export type SavedRun = Static<typeof SavedRun>;

const Lock = Type.Object({ pid: Type.Integer(), bootId: Type.String() });

/** Files of a run: `run.json`, `control.json`, `checkpoint.bin`, `tokens.json`, the folder `journal`, a lock. */
export class RunFolder {
  private constructor(readonly path: string) {}

  /** @throws StartError when the folder cannot be made or another process holds it. */
  static async open(path: string): Promise<RunFolder> {
    try {
      await mkdir(path, { recursive: true, mode: 0o700 });
    } catch (error) {
      throw new StartError(
        `The folder ${path} cannot be made (${reasonOf(error)}). Give another one with --dir.`,
      );
    }
    const folder = new RunFolder(path);
    await folder.lock();
    return folder;
  }

  file(name: 'run.json' | 'control.json' | 'checkpoint.bin' | 'tokens.json' | 'journal' | 'lock'): string {
    return join(this.path, name);
  }

  readRun(): Promise<SavedRun | null> {
    return this.read('run.json', SavedRun);
  }

  readControl(): Promise<ControlState | null> {
    return this.read('control.json', ControlState);
  }

  async writeRun(run: SavedRun): Promise<void> {
    await writeWhole(this.file('run.json'), `${JSON.stringify(run, null, 2)}\n`);
  }

  /** Synchronous, because it runs while the process ends. */
  unlock(): void {
    try {
      unlinkSync(this.file('lock'));
    } catch {
      // Somebody was quicker.
    }
  }

  private async read<S extends TSchema>(
    name: 'run.json' | 'control.json',
    schema: S,
  ): Promise<Static<S> | null> {
    let text: string;
    try {
      text = await readFile(this.file(name), 'utf8');
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
      throw new StartError(`${this.file(name)} cannot be read (${reasonOf(error)}).`);
    }
    try {
      return check(schema, JSON.parse(text), name);
    } catch (error) {
      throw new StartError(
        `${this.file(name)} is not what this version writes (${reasonOf(error)}). Move it away to go on without it, or give another folder with --dir.`,
      );
    }
  }

  private async lock(): Promise<void> {
    const content = JSON.stringify({ pid: process.pid, bootId: readBootId() });
    for (let attempt = 0; attempt < 2; attempt++) {
      try {
        const file = await open(this.file('lock'), 'wx', 0o600);
        await file.writeFile(content);
        await file.close();
        return;
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) {
          throw new StartError(
            `The folder ${this.path} takes no files (${reasonOf(error)}). Give another one with --dir.`,
          );
        }
        const holder = await this.holder();
        if (holder !== null) {
          throw new StartError(
            `Process ${holder} runs in ${this.path} already. Attach to it, stop it, or give another folder with --dir.`,
          );
        }
        await unlink(this.file('lock')).catch(() => undefined);
      }
    }
    throw new StartError(
      `Another process has just begun to run in ${this.path}. Give another folder with --dir.`,
    );
  }

  /** The process that holds the lock; null when it is gone. */
  private async holder(): Promise<number | null> {
    try {
      const { pid, bootId } = check(Lock, JSON.parse(await readFile(this.file('lock'), 'utf8')), 'lock');
      return bootId === readBootId() && pid !== process.pid && isAlive(pid) ? pid : null;
    } catch {
      return null;
    }
  }
}

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
