import { exp } from './scalarMath';
import { multiplyTransposed } from './matmul';
import type { Reals, Rows } from './matmul';
import type { PolicyParameters } from './policyParameters';

/**
 * Activations of recurrent steps, H columns a row; the backward pass needs all of them.
 * r and z: reset and update gate; c: candidate; u: the recurrent product inside the candidate; h: state.
 */
export class RecurrentActivations {
  r: Reals;
  z: Reals;
  c: Reals;
  u: Reals;
  h: Reals;
  products: Reals;
  readonly #hidden: number;

  constructor(
    hidden: number,
    readonly allocate: (length: number) => Reals,
  ) {
    this.#hidden = hidden;
    this.r = this.z = this.c = this.u = this.h = this.products = allocate(0);
  }

  /** Makes room for `rows` rows in all and `batch` rows in one step. What was there is lost. */
  reserve(rows: number, batch: number): void {
    const size = rows * this.#hidden;
    if (this.h.length < size) {
      this.r = this.allocate(size);
      this.z = this.allocate(size);
      this.c = this.allocate(size);
      this.u = this.allocate(size);
      this.h = this.allocate(size);
    }
    const productSize = batch * 3 * this.#hidden;
    if (this.products.length < productSize) this.products = this.allocate(productSize);
  }
}

/**
 * One step of the recurrent unit for `count` rows:
 *   r = σ(G_r[x] + U_r h), z = σ(G_z[x] + U_z h), u = U_c h + b, c = tanh(G_c[x] + r·u), h' = c + z·(h - c).
 * Reads the states from `before`, writes rows firstRow … firstRow + count - 1 of `into`.
 * `before` null stands for states of zero.
 */
export function recurrentStep(
  parameters: PolicyParameters,
  tokens: ArrayLike<number>,
  firstToken: number,
  before: Rows | null,
  into: RecurrentActivations,
  firstRow: number,
  count: number,
): void {
  const hidden = parameters.shape.hidden;
  const { tokenGates, recurrent, candidateBias } = parameters.tensors;
  const products = into.products;
  if (before === null) products.fill(0, 0, count * 3 * hidden);
  else {
    const out = { data: products, offset: 0, stride: 3 * hidden };
    multiplyTransposed(out, before, recurrent, count, 3 * hidden, hidden);
  }
  const { r: R, z: Z, c: C, u: U, h: NEXT } = into;
  for (let i = 0; i < count; i++) {
    const gates = tokens[firstToken + i]! * 3 * hidden;
    const product = i * 3 * hidden;
    const row = (firstRow + i) * hidden;
    const state = before === null ? 0 : before.offset + i * before.stride;
    for (let k = 0; k < hidden; k++) {
      const r = 1 / (1 + exp(-(tokenGates[gates + k]! + products[product + k]!)));
      const z = 1 / (1 + exp(-(tokenGates[gates + hidden + k]! + products[product + hidden + k]!)));
      const u = products[product + 2 * hidden + k]! + candidateBias[k]!;
      const c = 1 - 2 / (exp(2 * (tokenGates[gates + 2 * hidden + k]! + r * u)) + 1);
      const h = before === null ? 0 : before.data[state + k]!;
      R[row + k] = r;
      Z[row + k] = z;
      U[row + k] = u;
      C[row + k] = c;
      NEXT[row + k] = c + z * (h - c);
    }
  }
}
