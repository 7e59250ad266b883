import {
  CHUNK_BITS,
  CHUNK_MASK,
  CHUNK_ROWS,
  columnBytes,
  missingBytes,
  missingNumbers,
  zeroBytes,
} from './chunks';
import { NarrowInts } from './narrowInts';
import type { IntPieces } from './intPieces';
import type { Pool } from './pool';

/** Bits of `flags`. */
export const NODE_OPENED = 1;
export const NODE_CLOSED = 2;

/**
 * 16,384 nodes, struct of arrays. Columns that many runs do not send are made on first use. Times are ms after
 * `base`, in 32 bits: an hour after it they are good to a quarter of a millisecond.
 */
export class NodeChunk {
  readonly handle = new NarrowInts('near');
  /** Row of the owner, −1 until it is known. */
  readonly rollout = new NarrowInts('near');
  readonly parent = new NarrowInts('near');
  readonly at = new NarrowInts('small');
  readonly length = new NarrowInts('small', 0);
  readonly policyVersion = new NarrowInts('near');
  readonly kind = zeroBytes();
  readonly origin = zeroBytes();
  /** Index in ENDINGS; −1 growing. */
  readonly ending = missingBytes();
  readonly flags = zeroBytes();
  readonly opened = missingNumbers();
  readonly closed = missingNumbers();
  marks: Uint8Array | null = null;
  entropy: Float32Array | null = null;
  logProb: Float32Array | null = null;
  confidence: Float32Array | null = null;
  predicted: Float32Array | null = null;
  estimator: Uint16Array | null = null;
  /** Shares, see encodeShare. */
  trainShare: Uint16Array | null = null;
  repeats: Uint16Array | null = null;
  logProbGap: Float32Array | null = null;
  /** By the first credit rule of the incarnation; further rules stand in `credits`. */
  value: Float32Array | null = null;
  advantage: Float32Array | null = null;
  decision: NarrowInts | null = null;
  agent: Uint16Array | null = null;
  tool: Uint16Array | null = null;
  signature: NarrowInts | null = null;
  textOffset: Float64Array | null = null;
  textBytes: NarrowInts | null = null;
  textSegment: Uint16Array | null = null;
  /** Policy versions where there are several: position, version, … */
  versions: IntPieces | null = null;
  /** Pieces of overlay series: field, bin, first bin, mean…, greatest…. */
  series: Pool | null = null;
  /** Rule code → value and advantage of rules after the first. */
  credits: Map<number, { readonly value: Float32Array; readonly advantage: Float32Array }> | null = null;
  attachments: Map<number, Attachment[]> | null = null;

  constructor(readonly base: number) {}

  get bytes(): number {
    let total = columnBytes(this);
    for (const { value, advantage } of this.credits?.values() ?? []) {
      total += value.byteLength + advantage.byteLength;
    }
    return total;
  }
}

const MOST_SHARES = 65_534;

/** A share of 0 to 1 in 16 bits, to 1.5e-5; code 0: missing. */
export const encodeShare = (share: number): number =>
  share <= 0 ? 1 : share >= 1 ? 1 + MOST_SHARES : Math.floor(share * MOST_SHARES + 1.5);
export const decodeShare = (code: number): number => (code === 0 ? NaN : (code - 1) / MOST_SHARES);

export interface Attachment {
  readonly id: string;
  readonly mime: string;
  readonly bytes: number;
  readonly title: string | null;
}

/** The nodes of one incarnation, a row each, in the order in which they were first spoken of. */
export class NodeTable {
  readonly chunks: (NodeChunk | null)[] = [];
  /** Rows ever made. */
  count = 0;
  /** Chunks before this one are released. */
  firstChunk = 0;

  /** Nodes in memory. */
  get live(): number {
    return this.count - Math.min(this.count, this.firstChunk * CHUNK_ROWS);
  }

  add(handle: number, t: number): number {
    const row = this.count++;
    let chunk = this.chunks[row >>> CHUNK_BITS];
    if (chunk === undefined) {
      chunk = new NodeChunk(t);
      this.chunks.push(chunk);
    }
    chunk!.handle.set(row & CHUNK_MASK, handle);
    return row;
  }

  /** The chunk of a row; null when it was released. */
  chunk(row: number): NodeChunk | null {
    return this.chunks[row >>> CHUNK_BITS] ?? null;
  }

  get bytes(): number {
    let total = 0;
    for (let i = this.firstChunk; i < this.chunks.length; i++) total += this.chunks[i]?.bytes ?? 0;
    return total;
  }
}
