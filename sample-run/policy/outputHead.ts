import { exp } from './scalarMath';
import { multiplyTransposed } from './matmul';
import type { Reals, Rows } from './matmul';
import type { PolicyParameters } from './policyParameters';

/**
 * What the head computes for a batch of states.
 * out: rows × (V + Q), logits and query; scores: rows × (V + P), key scores by token and by position;
 * attention: rows × P, weights on the prompt's positions; mass: rows × V, the weights summed by token.
 */
export class HeadActivations {
  out: Reals;
  scores: Reals;
  attention: Reals;
  mass: Reals;
  copied: Reals;
  #rows = 0;

  constructor(readonly allocate: (length: number) => Reals) {
    this.out = this.scores = this.attention = this.mass = this.copied = allocate(0);
  }

  reserve(rows: number, parameters: PolicyParameters): void {
    if (rows <= this.#rows) return;
    this.#rows = rows;
    const { vocabulary, query, positions } = parameters.shape;
    this.out = this.allocate(rows * (vocabulary + query));
    this.scores = this.allocate(rows * (vocabulary + positions));
    this.attention = this.allocate(rows * positions);
    this.mass = this.allocate(rows * vocabulary);
    this.copied = this.allocate(rows * vocabulary);
  }
}

/**
 * Logits of `count` states, left in the first V columns of `into.out`.
 * `prompts[i]` are the tokens that row i's pointer can reach, at most P of them.
 */
export function outputHead(
  parameters: PolicyParameters,
  states: Rows,
  prompts: readonly ArrayLike<number>[],
  into: HeadActivations,
  count: number,
): void {
  const { vocabulary, hidden, query, positions } = parameters.shape;
  const { head, headBias, keys, copy } = parameters.tensors;
  into.reserve(count, parameters);
  const width = vocabulary + query;
  const out = { data: into.out, offset: 0, stride: width };
  multiplyTransposed(out, states, head, count, width, hidden);
  const scoreWidth = vocabulary + positions;
  multiplyTransposed(
    { data: into.scores, offset: 0, stride: scoreWidth },
    { data: into.out, offset: vocabulary, stride: width },
    keys,
    count,
    scoreWidth,
    query,
  );
  into.mass.fill(0, 0, count * vocabulary);
  for (let i = 0; i < count; i++) attend(into, i, prompts[i]!, vocabulary, positions);
  multiplyTransposed(
    { data: into.copied, offset: 0, stride: vocabulary },
    { data: into.mass, offset: 0, stride: vocabulary },
    copy,
    count,
    vocabulary,
    vocabulary,
  );
  for (let i = 0; i < count; i++) {
    for (let v = 0; v < vocabulary; v++) {
      const at = i * width + v;
      into.out[at] = into.out[at]! + headBias[v]! + into.copied[i * vocabulary + v]!;
    }
  }
}

/** Softmax over the reachable positions of one row. */
function attend(
  into: HeadActivations,
  row: number,
  prompt: ArrayLike<number>,
  vocabulary: number,
  positions: number,
): void {
  const { scores, attention, mass } = into;
  const reach = Math.min(prompt.length, positions);
  const score = row * (vocabulary + positions);
  const weight = row * positions;
  let greatest = -Infinity;
  for (let j = 0; j < reach; j++) {
    const s = scores[score + prompt[j]!]! + scores[score + vocabulary + j]!;
    attention[weight + j] = s;
    if (s > greatest) greatest = s;
  }
  let total = 0;
  for (let j = 0; j < reach; j++) {
    const e = exp(attention[weight + j]! - greatest);
    attention[weight + j] = e;
    total += e;
  }
  for (let j = 0; j < reach; j++) {
    const a = attention[weight + j]! / total;
    attention[weight + j] = a;
    const at = row * vocabulary + prompt[j]!;
    mass[at] = mass[at]! + a;
  }
}
