import type { Reals, Rows } from './matmul';
import { HeadActivations, outputHead } from './outputHead';
import type { Reach } from './outputHead';
import { PackedSequences } from './packedSequences';
import type { Output, TrainingSequence } from './packedSequences';
import { remember, stateKeys } from './pointer';
import type { PolicyParameters } from './policyParameters';
import { RecurrentActivations, recurrentStep } from './recurrentStep';
import { headBackward } from './headBackward';
import { recurrentBackward } from './recurrentBackward';

/** Forward and backward pass over whole texts of different lengths at once. Buffers are kept and reused. */
export class SequencePass {
  readonly head: HeadActivations;
  readonly recurrent: RecurrentActivations;
  packed = new PackedSequences([]);
  reaches: Reach[] = [];
  /** States that predict a token, one row an output: outputs × H. */
  states: Reals;
  /** Keys of all tokens read, text after text: rows × Q. */
  keys: Reals;
  /** Keys as the packed rows have them, without their token and position part: rows × Q. */
  packedKeys: Reals;
  /** The caller writes ∂loss/∂logits of output i here, at logitsOffset(i), before backward(). */
  logitGradients: Reals;

  constructor(
    readonly parameters: PolicyParameters,
    readonly allocate: (length: number) => Reals = (length) => new Float32Array(length),
  ) {
    this.head = new HeadActivations(allocate);
    this.recurrent = new RecurrentActivations(parameters.shape.hidden, allocate);
    this.states = this.keys = this.packedKeys = this.logitGradients = allocate(0);
  }

  /** Predictions in the order of the rows of logits. */
  get outputs(): readonly Output[] {
    return this.packed.outputs;
  }

  /** Logits of output i begin here in `head.out`. */
  logitsOffset(output: number): number {
    return output * (this.parameters.shape.vocabulary + this.parameters.shape.query);
  }

  forward(sequences: readonly TrainingSequence[]): void {
    this.packed = new PackedSequences(sequences);
    const { vocabulary, query, hidden } = this.parameters.shape;
    this.#readTexts();
    this.#rememberTexts();
    const count = this.outputs.length;
    this.states = this.grown(this.states, count * hidden);
    this.logitGradients = this.grown(this.logitGradients, count * (vocabulary + query));
    const { h } = this.recurrent;
    this.outputs.forEach(({ row }, i) => {
      for (let k = 0; k < hidden; k++) this.states[i * hidden + k] = h[row * hidden + k]!;
    });
    outputHead(this.parameters, this.rows(this.states, 0, hidden), this.reaches, this.head);
  }

  /** Adds the gradient of the loss to `gradient`, from what stands in logitGradients. */
  backward(gradient: PolicyParameters): void {
    recurrentBackward(this, headBackward(this, gradient), gradient);
  }

  rows(data: Reals, firstRow: number, stride: number): Rows {
    return { data, offset: firstRow * stride, stride };
  }

  grown(held: Reals, length: number): Reals {
    return held.length < length ? this.allocate(length) : held;
  }

  #readTexts(): void {
    const { packed, recurrent } = this;
    const { hidden } = this.parameters.shape;
    recurrent.reserve(packed.rows, packed.batch);
    for (let t = 0; t < packed.times; t++) {
      const start = packed.starts[t]!;
      const before = t === 0 ? null : this.rows(recurrent.h, packed.starts[t - 1]!, hidden);
      const count = packed.count(t);
      recurrentStep(this.parameters, packed.inputs, start, before, recurrent, start, count);
    }
  }

  #rememberTexts(): void {
    const { packed } = this;
    const { hidden, query } = this.parameters.shape;
    this.keys = this.grown(this.keys, packed.rows * query);
    this.packedKeys = this.grown(this.packedKeys, packed.rows * query);
    const states = this.rows(this.recurrent.h, 0, hidden);
    stateKeys(this.parameters, states, this.packedKeys, packed.rows);
    const memories = packed.sequences.map(({ tokens }, i) => ({
      tokens,
      keys: this.keys,
      offset: packed.bases[i]! * query,
    }));
    for (let t = 0; t < packed.times; t++) {
      for (let row = packed.starts[t]!; row < packed.starts[t + 1]!; row++) {
        remember(this.parameters, memories[packed.owners[row]!]!, t, this.packedKeys, row);
      }
    }
    this.reaches = packed.outputs.map(({ sequence, position }) => ({
      memory: memories[sequence]!,
      length: position,
    }));
  }
}
