import {
  CHUNK_BITS,
  CHUNK_MASK,
  columnBytes,
  missingBytes,
  missingDoubles,
  missingNumbers,
  zeroBytes,
} from './chunks';
import type { IntPieces } from './intPieces';
import { NarrowInts } from './narrowInts';
import type { Pool } from './pool';

/** Bits of `flags`. */
export const ROLLOUT_OPENED = 1;
export const ROLLOUT_CLOSED = 2;
/** Counts in its group's baseline, as the job said or by its use. */
export const ROLLOUT_BASELINE = 4;
export const ROLLOUT_DISCARDED = 8;
/** Its step closed while it ran. */
export const ROLLOUT_CARRIED = 16;
/** Went on under another id, which is counted in its place. */
export const ROLLOUT_SUPERSEDED = 32;
/** Its result stands in the statistics of its group. */
export const ROLLOUT_SAMPLED = 64;
/** Its reward stands in the baseline's least and greatest reward. */
export const ROLLOUT_REWARDED = 128;

/** 16,384 rollouts, struct of arrays; times as in NodeChunk. */
export class RolloutChunk {
  readonly handle = new NarrowInts('near');
  /** Row of the group, −1 until it is known. */
  readonly group = new NarrowInts('near');
  readonly nextInGroup = new NarrowInts('near');
  /** Its nodes stand in these rows and between them, among others. */
  readonly firstNode = new NarrowInts('near');
  readonly lastNode = new NarrowInts('near');
  /** Tokens of its own nodes. */
  readonly length = new NarrowInts('small', 0);
  /** Oldest policy version that it is known to have been sampled with. */
  readonly version = new NarrowInts('near');
  readonly reward = missingDoubles();
  /** Index in ENDINGS; −1 running. */
  readonly ending = missingBytes();
  /** As the job said: 1, 0, −1. */
  readonly success = missingBytes();
  /** Index in CATEGORIES. */
  readonly category = zeroBytes();
  readonly origin = zeroBytes();
  readonly use = zeroBytes();
  readonly flags = zeroBytes();
  readonly opened = missingNumbers();
  readonly closed = missingNumbers();
  /** Where it leaves another rollout; −1: at the root. */
  fromNode: NarrowInts | null = null;
  at: NarrowInts | null = null;
  /** Group in whose ledger it is counted when that is not `group`. */
  countedIn: NarrowInts | null = null;
  decision: NarrowInts | null = null;
  endDecision: NarrowInts | null = null;
  discardDecision: NarrowInts | null = null;
  reason: Uint16Array | null = null;
  discardReason: Uint16Array | null = null;
  worker: Uint16Array | null = null;
  agent: Uint16Array | null = null;
  context: Uint16Array | null = null;
  value: Float32Array | null = null;
  advantage: Float32Array | null = null;
  logProbGap: Float32Array | null = null;
  acceptedPrefix: NarrowInts | null = null;
  versions: IntPieces | null = null;
  /** Spans: t (ms since the incarnation's start), state, policy version, tool code, worker code. */
  spans: Pool | null = null;
  /** Reward parts: code, value, …. */
  parts: Pool | null = null;
  credits: Map<number, { readonly value: Float32Array; readonly advantage: Float32Array }> | null = null;
  rows: Map<number, readonly string[]> | null = null;

  constructor(readonly base: number) {}

  get bytes(): number {
    let total = columnBytes(this);
    for (const { value, advantage } of this.credits?.values() ?? []) {
      total += value.byteLength + advantage.byteLength;
    }
    return total;
  }
}

/** The rollouts of one incarnation, a row each, in the order in which they were first spoken of. */
export class RolloutTable {
  readonly chunks: (RolloutChunk | null)[] = [];
  count = 0;
  firstChunk = 0;

  add(handle: number, t: number): number {
    const row = this.count++;
    let chunk = this.chunks[row >>> CHUNK_BITS];
    if (chunk === undefined) {
      chunk = new RolloutChunk(t);
      this.chunks.push(chunk);
    }
    chunk!.handle.set(row & CHUNK_MASK, handle);
    return row;
  }

  /** The chunk of a row; null when it was released. */
  chunk(row: number): RolloutChunk | null {
    return this.chunks[row >>> CHUNK_BITS] ?? null;
  }

  get bytes(): number {
    let total = 0;
    for (let i = this.firstChunk; i < this.chunks.length; i++) total += this.chunks[i]?.bytes ?? 0;
    return total;
  }
}
