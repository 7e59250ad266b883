import { multiplyTransposed } from './matmul';
import type { Reals, Rows } from './matmul';
import { attend } from './pointer';
import type { Memory } from './pointer';
import type { PolicyParameters } from './policyParameters';

/** A row's pointer: the text it looks into and how many of its tokens have been read. */
export interface Reach {
  readonly memory: Memory;
  readonly length: number;
}

/**
 * What the head computes for a batch of states.
 * out: rows × (V + Q), logits and query; mass: rows × V, attention summed by token; weights: attention
 * by position, row after row, row i from weightsAt[i] on.
 */
export class HeadActivations {
  out: Reals;
  mass: Reals;
  copied: Reals;
  weights: Reals;
  weightsAt: number[] = [];

  constructor(readonly allocate: (length: number) => Reals) {
    this.out = this.mass = this.copied = this.weights = allocate(0);
  }

  reserve(parameters: PolicyParameters, reaches: readonly Reach[]): void {
    const { vocabulary, query } = parameters.shape;
    const rows = reaches.length;
    this.weightsAt = [];
    let total = 0;
    for (const { length } of reaches) {
      this.weightsAt.push(total);
      total += length;
    }
    const grown = (held: Reals, length: number): Reals =>
      held.length < length ? this.allocate(length) : held;
    this.out = grown(this.out, rows * (vocabulary + query));
    this.mass = grown(this.mass, rows * vocabulary);
    this.copied = grown(this.copied, rows * vocabulary);
    this.weights = grown(this.weights, total);
  }

  /** Query of a row, as attend() takes it. */
  query(parameters: PolicyParameters, row: number): Rows {
    const { vocabulary, query } = parameters.shape;
    return { data: this.out, offset: row * (vocabulary + query) + vocabulary, stride: query };
  }
}

/** Logits of states, left in the first V columns of `into.out`; row i looks into reaches[i]. */
export function outputHead(
  parameters: PolicyParameters,
  states: Rows,
  reaches: readonly Reach[],
  into: HeadActivations,
): void {
  const { vocabulary, hidden, query } = parameters.shape;
  const { head, headBias, copy } = parameters.tensors;
  const count = reaches.length;
  into.reserve(parameters, reaches);
  const width = vocabulary + query;
  const out = { data: into.out, offset: 0, stride: width };
  multiplyTransposed(out, states, head, count, width, hidden);
  into.mass.fill(0, 0, count * vocabulary);
  for (let i = 0; i < count; i++) {
    const { memory, length } = reaches[i]!;
    const asked = into.query(parameters, i);
    attend(memory, length, asked, into.weights, into.weightsAt[i]!, into.mass, i * vocabulary);
  }
  const copied = { data: into.copied, offset: 0, stride: vocabulary };
  const mass = { data: into.mass, offset: 0, stride: vocabulary };
  multiplyTransposed(copied, mass, copy, count, vocabulary, vocabulary);
  for (let i = 0; i < count; i++) {
    for (let v = 0; v < vocabulary; v++) {
      const at = i * width + v;
      into.out[at] = into.out[at]! + headBias[v]! + into.copied[i * vocabulary + v]!;
    }
  }
}
