import type { Reals } from './matmul';
import type { Rng } from '../../methods/random';

/**
 * The policy: a gated recurrent unit (Cho et al. 2014, with the reset gate after the recurrent product)
 * that reads the text token by token, and a pointer (Vinyals et al. 2015) that attends to all tokens read
 * so far and adds to the logits what it finds there.
 */
export interface PolicyShape {
  /** Tokens in the vocabulary. */
  readonly vocabulary: number;
  /** Size of the recurrent state. */
  readonly hidden: number;
  /** Size of the pointer's queries and keys. */
  readonly query: number;
  /** First positions of a text that have a key of their own; later ones are told apart by their states. */
  readonly positions: number;
}

export const TENSOR_NAMES = [
  'tokenGates',
  'recurrent',
  'candidateBias',
  'head',
  'headBias',
  'stateKeys',
  'keys',
  'copy',
] as const;
export type TensorName = (typeof TENSOR_NAMES)[number];

/**
 * Rows × columns of each tensor, row-major.
 * - tokenGates: V × 3H, what each token adds to the reset, update and candidate gates (biases included)
 * - recurrent: 3H × H
 * - candidateBias: H, inside the reset product
 * - head: (V + Q) × H, logits and then the pointer's query
 * - headBias: V
 * - stateKeys: Q × H, the key of a state that was reached by reading a token
 * - keys: (V + P) × Q, what each token and each of the first positions adds to that key
 * - copy: V × V, what attention on a token (column) adds to each logit (row)
 */
export function tensorShape(shape: PolicyShape, name: TensorName): readonly [number, number] {
  const { vocabulary: v, hidden: h, query: q, positions: p } = shape;
  switch (name) {
    case 'tokenGates':
      return [v, 3 * h];
    case 'recurrent':
      return [3 * h, h];
    case 'candidateBias':
      return [1, h];
    case 'head':
      return [v + q, h];
    case 'headBias':
      return [1, v];
    case 'stateKeys':
      return [q, h];
    case 'keys':
      return [v + p, q];
    case 'copy':
      return [v, v];
  }
}

export function parameterCount(shape: PolicyShape): number {
  return TENSOR_NAMES.reduce((sum, name) => {
    const [rows, cols] = tensorShape(shape, name);
    return sum + rows * cols;
  }, 0);
}

/** One flat array and a view of each tensor in it. Gradients have the same form. */
export interface PolicyParameters {
  readonly shape: PolicyShape;
  readonly values: Reals;
  readonly tensors: Readonly<Record<TensorName, Reals>>;
}

/** Views on `values`, whose length must be parameterCount(shape). */
export function viewParameters(shape: PolicyShape, values: Reals): PolicyParameters {
  if (values.length !== parameterCount(shape)) {
    throw new RangeError(
      `A policy of this shape has ${parameterCount(shape)} parameters, not ${values.length}.`,
    );
  }
  let offset = 0;
  const take = (name: TensorName): Reals => {
    const [rows, cols] = tensorShape(shape, name);
    const start = offset;
    offset += rows * cols;
    return values.subarray(start, offset);
  };
  return {
    shape,
    values,
    tensors: {
      tokenGates: take('tokenGates'),
      recurrent: take('recurrent'),
      candidateBias: take('candidateBias'),
      head: take('head'),
      headBias: take('headBias'),
      stateKeys: take('stateKeys'),
      keys: take('keys'),
      copy: take('copy'),
    },
  };
}

export function zeroParameters(shape: PolicyShape): PolicyParameters {
  return viewParameters(shape, new Float32Array(parameterCount(shape)));
}

/**
 * The pointer starts by naming the token it looks at. From a copy matrix of zeros it takes about seven
 * times as many updates to find out that looking is worth it.
 */
const COPY_START = 5;

/** Uniform starting values, ±1/√H for the recurrent part; the copy matrix starts as COPY_START · I. */
export function initialParameters(shape: PolicyShape, random: Rng): PolicyParameters {
  const parameters = zeroParameters(shape);
  const width = 1 / Math.sqrt(shape.hidden);
  const widths: Record<TensorName, number> = {
    tokenGates: 2 * width,
    recurrent: width,
    candidateBias: 0,
    head: width,
    headBias: 0,
    stateKeys: width,
    keys: 0.5,
    copy: 0,
  };
  for (const name of TENSOR_NAMES) {
    const tensor = parameters.tensors[name];
    for (let i = 0; i < tensor.length; i++) tensor[i] = (2 * random.float() - 1) * widths[name];
  }
  const { vocabulary } = shape;
  for (let v = 0; v < vocabulary; v++) parameters.tensors.copy[v * vocabulary + v] = COPY_START;
  return parameters;
}
