import { addOuterSum, multiplyTransposed, transpose } from './matmul';
import type { Reals } from './matmul';
import { attendBackward } from './pointer';
import type { PolicyParameters } from './policyParameters';
import type { SequencePass } from './sequencePass';

/**
 * Backward of head and pointer. Adds their gradients and returns ∂loss/∂states of all packed rows
 * (rows × H) as far as it comes from them.
 */
export function headBackward(pass: SequencePass, gradient: PolicyParameters): Reals {
  const { packed, head } = pass;
  const { vocabulary, hidden, query } = pass.parameters.shape;
  const count = packed.outputs.length;
  const width = vocabulary + query;
  const dOut = pass.rows(pass.logitGradients, 0, width);
  const bias = gradient.tensors.headBias;
  for (let i = 0; i < count; i++) {
    for (let v = 0; v < vocabulary; v++) bias[v] = bias[v]! + dOut.data[i * width + v]!;
  }
  const mass = pass.rows(head.mass, 0, vocabulary);
  addOuterSum(gradient.tensors.copy, dOut, mass, count, vocabulary, vocabulary);
  const dHidden = pointerBackward(pass, gradient);
  const dStates = pass.allocate(count * hidden);
  const headT = transposed(pass, 'head', width, hidden);
  multiplyTransposed(pass.rows(dStates, 0, hidden), dOut, headT, count, hidden, width);
  addOuterSum(gradient.tensors.head, dOut, pass.rows(pass.states, 0, hidden), count, width, hidden);
  packed.outputs.forEach(({ row }, i) => {
    for (let k = 0; k < hidden; k++) {
      const at = row * hidden + k;
      dHidden[at] = dHidden[at]! + dStates[i * hidden + k]!;
    }
  });
  return dHidden;
}

/** Fills the query columns of the logit gradients; returns ∂loss/∂states that comes through the keys. */
function pointerBackward(pass: SequencePass, gradient: PolicyParameters): Reals {
  const { packed, head } = pass;
  const { vocabulary, hidden, query } = pass.parameters.shape;
  const count = packed.outputs.length;
  const width = vocabulary + query;
  const dMass = pass.allocate(count * vocabulary);
  const copyT = transposed(pass, 'copy', vocabulary, vocabulary);
  const dOut = pass.rows(pass.logitGradients, 0, width);
  multiplyTransposed(pass.rows(dMass, 0, vocabulary), dOut, copyT, count, vocabulary, vocabulary);
  const dKeys = pass.allocate(packed.rows * query);
  for (let i = 0; i < count; i++) {
    const { memory, length } = pass.reaches[i]!;
    const asked = head.query(pass.parameters, i);
    const dQuery = { ...asked, data: pass.logitGradients };
    const at = head.weightsAt[i]!;
    attendBackward(memory, length, asked, head.weights, at, dMass, i * vocabulary, dKeys, dQuery);
  }
  const packedGradients = keyGradients(pass, gradient, dKeys);
  const rows = pass.rows(packedGradients, 0, query);
  const states = pass.rows(pass.recurrent.h, 0, hidden);
  addOuterSum(gradient.tensors.stateKeys, rows, states, packed.rows, query, hidden);
  const dHidden = pass.allocate(packed.rows * hidden);
  const stateKeysT = transposed(pass, 'stateKeys', query, hidden);
  multiplyTransposed(pass.rows(dHidden, 0, hidden), rows, stateKeysT, packed.rows, hidden, query);
  return dHidden;
}

/** Adds the token and position part of the keys' gradients; returns them in the order of the packed rows. */
function keyGradients(pass: SequencePass, gradient: PolicyParameters, dKeys: Reals): Reals {
  const { packed } = pass;
  const { vocabulary, query, positions } = pass.parameters.shape;
  const { keys } = gradient.tensors;
  const inPackedRows = pass.allocate(packed.rows * query);
  for (let t = 0; t < packed.times; t++) {
    for (let row = packed.starts[t]!; row < packed.starts[t + 1]!; row++) {
      const from = (packed.bases[packed.owners[row]!]! + t) * query;
      const token = packed.inputs[row]! * query;
      const place = (vocabulary + t) * query;
      for (let k = 0; k < query; k++) {
        const d = dKeys[from + k]!;
        inPackedRows[row * query + k] = d;
        keys[token + k] = keys[token + k]! + d;
        if (t < positions) keys[place + k] = keys[place + k]! + d;
      }
    }
  }
  return inPackedRows;
}

function transposed(
  pass: SequencePass,
  name: 'copy' | 'head' | 'stateKeys',
  rows: number,
  cols: number,
): Reals {
  const into = pass.allocate(rows * cols);
  transpose(into, pass.parameters.tensors[name], rows, cols);
  return into;
}
