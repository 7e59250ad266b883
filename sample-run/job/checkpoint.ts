import { open, readFile, rename } from 'node:fs/promises';
import { Type, type Static } from '@sinclair/typebox';
import { check } from '../../protocol/wire/rpc';
import { Count, Id } from '../../protocol/wire/values';
import type { GrpoTrainer } from '../training/grpoTrainer';
import { loadCheckpoint, saveCheckpoint } from '../training/checkpoint';
import { DrawPlace } from './drawPrompts';
import { SavedEstimates } from './estimates';
import { SavedStatistics } from './promptStatistics';

const Memory = Type.Record(
  Type.String(),
  Type.Union([Type.Number(), Type.String(), Type.Boolean(), Type.Array(Type.Number())]),
);

/** The state of a run after a step, kept beside that of its trainer. Draws need none: they are looked up. */
export const RunProgress = Type.Object({
  version: Type.Literal(1),
  run: Id,
  /** Last step that is done. */
  step: Count,
  policyVersion: Count,
  tokens: Count,
  place: DrawPlace,
  statistics: SavedStatistics,
  estimates: SavedEstimates,
  /** Newest step whose weights were evaluated; −1: none. */
  evaluatedStep: Type.Integer({ minimum: -1 }),
  passAt1: Type.Union([Type.Number(), Type.Null()]),
  allocationMemory: Type.Object({ method: Id, memory: Memory }),
});
export type RunProgress = Static<typeof RunProgress>;

export interface Checkpoint {
  readonly trainer: GrpoTrainer;
  readonly progress: RunProgress;
}

export const encodeCheckpoint = (trainer: GrpoTrainer, progress: RunProgress): Uint8Array =>
  saveCheckpoint(trainer, progress);

/** @throws Error when the bytes are no whole checkpoint of this version. */
export function decodeCheckpoint(bytes: Uint8Array): Checkpoint {
  const { trainer, extra } = loadCheckpoint(bytes);
  return { trainer, progress: check(RunProgress, extra, 'progress') };
}

/** Puts a file in place at once: whoever reads it sees the old one or the new one. */
export async function writeWhole(path: string, data: Uint8Array | string): Promise<void> {
  const file = await open(`${path}.new`, 'w', 0o600);
  try {
    await file.writeFile(data);
    await file.datasync();
  } finally {
    await file.close();
  }
  await rename(`${path}.new`, path);
}

/** Null when there is none. @throws Error that says what is wrong with the one that is there. */
export async function readCheckpoint(path: string): Promise<Checkpoint | null> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
  return decodeCheckpoint(bytes);
}

/** Writes the newest of what is given, one at a time; what is overtaken is left out. Never throws. */
export class FileKeeper {
  private next: Uint8Array | string | null = null;
  private working: Promise<void> | null = null;
  private failing = false;

  /** @param onFailure null: writing works again. */
  constructor(
    private readonly path: string,
    private readonly onFailure: (reason: string | null) => void,
  ) {}

  keep(data: Uint8Array | string): void {
    this.next = data;
    this.working ??= this.work();
  }

  async idle(): Promise<void> {
    while (this.working) await this.working;
  }

  private async work(): Promise<void> {
    await Promise.resolve();
    while (this.next !== null) {
      const data = this.next;
      this.next = null;
      try {
        await writeWhole(this.path, data);
        if (this.failing) this.onFailure(null);
        this.failing = false;
      } catch (error) {
        if (!this.failing) this.onFailure(error instanceof Error ? error.message : String(error));
        this.failing = true;
      }
    }
    this.working = null;
  }
}
