import { multiplyTransposed } from './matmul';
import type { Reals, Rows } from './matmul';
import type { PolicyParameters } from './policyParameters';
import { exp } from './scalarMath';

/** What the pointer can reach of one text: a key for each token read, Q columns each, in order. */
export interface Memory {
  readonly tokens: ArrayLike<number>;
  keys: Reals;
  /** Element of `keys` at which the first token's key begins. */
  readonly offset: number;
}

/** State part of the keys of `count` states: out[i] = stateKeys · h. Shape of out: count × Q. */
export function stateKeys(parameters: PolicyParameters, states: Rows, out: Reals, count: number): void {
  const { query, hidden } = parameters.shape;
  const rows = { data: out, offset: 0, stride: query };
  multiplyTransposed(rows, states, parameters.tensors.stateKeys, count, query, hidden);
}

/** Completes the key of the token at `position` of a text and stores it in the text's memory. */
export function remember(
  parameters: PolicyParameters,
  memory: Memory,
  position: number,
  stateKey: Reals,
  row: number,
): void {
  const { vocabulary, query, positions } = parameters.shape;
  const { keys } = parameters.tensors;
  const to = memory.offset + position * query;
  const token = memory.tokens[position]! * query;
  const place = (vocabulary + position) * query;
  for (let k = 0; k < query; k++) {
    const own = position < positions ? keys[place + k]! : 0;
    memory.keys[to + k] = stateKey[row * query + k]! + keys[token + k]! + own;
  }
}

/**
 * Attention of one query over the first `length` tokens of a memory: weights = softmax(keys · query),
 * written at weights[weightsAt …]; their sums by token are added to mass[massAt …], one column a token.
 */
export function attend(
  memory: Memory,
  length: number,
  query: Rows,
  weights: Reals,
  weightsAt: number,
  mass: Reals,
  massAt: number,
): void {
  const size = query.stride;
  const { keys, tokens } = memory;
  let greatest = -Infinity;
  for (let j = 0; j < length; j++) {
    const key = memory.offset + j * size;
    let score = 0;
    for (let k = 0; k < size; k++) score += keys[key + k]! * query.data[query.offset + k]!;
    weights[weightsAt + j] = score;
    if (score > greatest) greatest = score;
  }
  let total = 0;
  for (let j = 0; j < length; j++) {
    const e = exp(weights[weightsAt + j]! - greatest);
    weights[weightsAt + j] = e;
    total += e;
  }
  for (let j = 0; j < length; j++) {
    const weight = weights[weightsAt + j]! / total;
    weights[weightsAt + j] = weight;
    const at = massAt + tokens[j]!;
    mass[at] = mass[at]! + weight;
  }
}

/**
 * Backward of attend(): from ∂loss/∂mass to the gradients of the keys (added to dKeys, laid out as the
 * memory's keys) and of the query (written at dQuery).
 */
export function attendBackward(
  memory: Memory,
  length: number,
  query: Rows,
  weights: Reals,
  weightsAt: number,
  dMass: Reals,
  massAt: number,
  dKeys: Reals,
  dQuery: Rows,
): void {
  const size = query.stride;
  const { keys, tokens } = memory;
  let mean = 0;
  for (let j = 0; j < length; j++) mean += weights[weightsAt + j]! * dMass[massAt + tokens[j]!]!;
  for (let k = 0; k < size; k++) dQuery.data[dQuery.offset + k] = 0;
  for (let j = 0; j < length; j++) {
    const dScore = weights[weightsAt + j]! * (dMass[massAt + tokens[j]!]! - mean);
    const key = memory.offset + j * size;
    for (let k = 0; k < size; k++) {
      const q = dQuery.offset + k;
      dQuery.data[q] = dQuery.data[q]! + dScore * keys[key + k]!;
      dKeys[key + k] = dKeys[key + k]! + dScore * query.data[query.offset + k]!;
    }
  }
}
