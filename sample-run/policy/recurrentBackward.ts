import { addOuterSum, multiplyTransposed, transpose } from './matmul';
import type { Reals } from './matmul';
import type { PolicyParameters } from './policyParameters';
import type { SequencePass } from './sequencePass';

/**
 * Back-propagation through time. `dHidden` (packed rows × H) holds ∂loss/∂states from outside the
 * recurrence and is used up.
 */
export function recurrentBackward(pass: SequencePass, dHidden: Reals, gradient: PolicyParameters): void {
  const { packed, recurrent } = pass;
  const { hidden } = pass.parameters.shape;
  const dProducts = pass.allocate(packed.batch * 3 * hidden);
  const dBefore = pass.allocate(packed.batch * hidden);
  const recurrentT = pass.allocate(3 * hidden * hidden);
  transpose(recurrentT, pass.parameters.tensors.recurrent, 3 * hidden, hidden);
  const products = pass.rows(dProducts, 0, 3 * hidden);
  for (let t = packed.times - 1; t >= 0; t--) {
    gatesBackward(pass, t, dHidden, dProducts, gradient);
    if (t === 0) return;
    const count = packed.count(t);
    const before = packed.starts[t - 1]!;
    multiplyTransposed(pass.rows(dBefore, 0, hidden), products, recurrentT, count, hidden, 3 * hidden);
    for (let i = 0; i < count * hidden; i++) {
      dHidden[before * hidden + i] = dHidden[before * hidden + i]! + dBefore[i]!;
    }
    const states = pass.rows(recurrent.h, before, hidden);
    addOuterSum(gradient.tensors.recurrent, products, states, count, 3 * hidden, hidden);
  }
}

/** Through the gates of one time: to the recurrent products, the token table and, directly, the state before. */
function gatesBackward(
  pass: SequencePass,
  t: number,
  dHidden: Reals,
  dProducts: Reals,
  gradient: PolicyParameters,
): void {
  const { packed } = pass;
  const { hidden } = pass.parameters.shape;
  const { r: R, z: Z, c: C, u: U, h: STATE } = pass.recurrent;
  const { tokenGates, candidateBias } = gradient.tensors;
  const start = packed.starts[t]!;
  const count = packed.count(t);
  const before = t === 0 ? -1 : packed.starts[t - 1]!;
  for (let i = 0; i < count; i++) {
    const row = (start + i) * hidden;
    const previous = (before + i) * hidden;
    const product = i * 3 * hidden;
    const gates = packed.inputs[start + i]! * 3 * hidden;
    for (let k = 0; k < hidden; k++) {
      const dh = dHidden[row + k]!;
      const r = R[row + k]!;
      const z = Z[row + k]!;
      const c = C[row + k]!;
      const h = before < 0 ? 0 : STATE[previous + k]!;
      const dc = dh * (1 - z) * (1 - c * c);
      const dz = dh * (h - c) * z * (1 - z);
      const dr = dc * U[row + k]! * r * (1 - r);
      const du = dc * r;
      tokenGates[gates + k] = tokenGates[gates + k]! + dr;
      tokenGates[gates + hidden + k] = tokenGates[gates + hidden + k]! + dz;
      tokenGates[gates + 2 * hidden + k] = tokenGates[gates + 2 * hidden + k]! + dc;
      candidateBias[k] = candidateBias[k]! + du;
      dProducts[product + k] = dr;
      dProducts[product + hidden + k] = dz;
      dProducts[product + 2 * hidden + k] = du;
      if (before >= 0) dHidden[previous + k] = dHidden[previous + k]! + dh * z;
    }
  }
}
