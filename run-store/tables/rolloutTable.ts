import { CHUNK_BITS, CHUNK_MASK, CHUNK_ROWS, NONE, columnBytes, missingInts, missingNumbers } from './chunks';
import { Pool } from './pool';

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
  readonly handle = missingInts();
  /** Row of the group, −1 until it is known. */
  readonly group = missingInts();
  readonly nextInGroup = missingInts();
  readonly fromNode = missingInts();
  readonly at = missingInts();
  /** Its nodes stand in these rows and between them, among others. */
  readonly firstNode = missingInts();
  readonly lastNode = missingInts();
  /** Tokens of its own nodes. */
  readonly length = new Int32Array(CHUNK_ROWS);
  /** Oldest policy version that it is known to have been sampled with. */
  readonly version = missingInts();
  /** Version under which it stands in the statistics. */
  readonly statVersion = missingInts();
  readonly reward = new Float64Array(CHUNK_ROWS).fill(NaN);
  /** Index in ENDINGS; −1 running. */
  readonly ending = new Int8Array(CHUNK_ROWS).fill(NONE);
  /** As the job said: 1, 0, −1. */
  readonly success = new Int8Array(CHUNK_ROWS).fill(NONE);
  /** Index in CATEGORIES. */
  readonly category = new Uint8Array(CHUNK_ROWS);
  readonly origin = new Uint8Array(CHUNK_ROWS);
  readonly use = new Uint8Array(CHUNK_ROWS);
  readonly flags = new Uint8Array(CHUNK_ROWS);
  readonly opened = missingNumbers();
  readonly closed = missingNumbers();
  /** Group in whose ledger it is counted when that is not `group`. */
  countedIn: Int32Array | null = null;
  decision: Int32Array | null = null;
  endDecision: Int32Array | null = null;
  discardDecision: Int32Array | null = null;
  reason: Uint16Array | null = null;
  discardReason: Uint16Array | null = null;
  worker: Uint16Array | null = null;
  agent: Uint16Array | null = null;
  context: Uint16Array | null = null;
  value: Float32Array | null = null;
  advantage: Float32Array | null = null;
  logProbGap: Float32Array | null = null;
  acceptedPrefix: Int32Array | null = null;
  versions: Pool | null = null;
  /** Spans: t (ms since the incarnation's start), state, policy version, tool code, worker code. */
  spans: Pool | null = null;
  /** Reward parts: code, value, …. */
  parts: Pool | null = null;
  credits: Map<number, { readonly value: Float32Array; readonly advantage: Float32Array }> | null = null;
  rows: Map<number, readonly string[]> | null = null;

  constructor(readonly base: number) {}

  get bytes(): number {
    let total = columnBytes(this);
    for (const pool of [this.versions, this.spans, this.parts]) total += pool?.bytes ?? 0;
    for (const { value, advantage } of this.credits?.values() ?? []) {
      total += value.byteLength + advantage.byteLength;
    }
    return total;
  }

  ints(name: 'countedIn' | 'decision' | 'endDecision' | 'discardDecision' | 'acceptedPrefix'): Int32Array {
    return (this[name] ??= missingInts());
  }

  codes(name: 'reason' | 'discardReason' | 'worker' | 'agent' | 'context'): Uint16Array {
    return (this[name] ??= new Uint16Array(CHUNK_ROWS));
  }

  numbers(name: 'value' | 'advantage' | 'logProbGap'): Float32Array {
    return (this[name] ??= missingNumbers());
  }

  pool(name: 'versions' | 'spans' | 'parts'): Pool {
    return (this[name] ??= new Pool(CHUNK_ROWS));
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
    chunk!.handle[row & CHUNK_MASK] = handle;
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
