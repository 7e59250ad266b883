import { addOuterSum, multiplyTransposed, transpose } from './matmul';
import type { Reals, Rows } from './matmul';
import { HeadActivations, outputHead } from './outputHead';
import type { PolicyParameters } from './policyParameters';
import { RecurrentActivations, recurrentStep } from './recurrentStep';

/** A text with the tokens to be learnt from. */
export interface TrainingSequence {
  readonly tokens: ArrayLike<number>;
  /** Tokens of the prompt: reached by the pointer, never a target. At least 1. */
  readonly promptLength: number;
  /** Whether the token at this position is a target. Without it, all tokens after the prompt are. */
  readonly isTarget?: (position: number) => boolean;
}

/** One predicted token: tokens[position] of sequences[sequence]. */
export interface Output {
  readonly sequence: number;
  readonly position: number;
}

/**
 * Forward and backward pass over whole sequences of different lengths at once.
 *
 * The sequences are sorted by length and packed time by time: the rows of time t are a prefix of the
 * rows of time t - 1, so every step is one dense matrix product.
 */
export class SequencePass {
  readonly head: HeadActivations;
  /** Predictions in the order of the rows of `logits`. */
  readonly outputs: Output[] = [];
  readonly #recurrent: RecurrentActivations;
  #sorted: TrainingSequence[] = [];
  #inputs = new Int32Array(0);
  /** Packed row at which each time starts; one more at the end. */
  #starts: number[] = [];
  #outputRows: number[] = [];
  #prompts: ArrayLike<number>[] = [];
  #states: Reals;
  #dOut: Reals;
  #dMass: Reals;
  #dScores: Reals;
  #dStates: Reals;
  #dHidden: Reals;
  #dProducts: Reals;
  #dBefore: Reals;

  constructor(
    readonly parameters: PolicyParameters,
    readonly allocate: (length: number) => Reals = (length) => new Float32Array(length),
  ) {
    this.head = new HeadActivations(allocate);
    this.#recurrent = new RecurrentActivations(parameters.shape.hidden, allocate);
    this.#states = this.#dOut = this.#dMass = this.#dScores = allocate(0);
    this.#dStates = this.#dHidden = this.#dProducts = this.#dBefore = allocate(0);
  }

  /** Logits of output i begin here in `head.out`. */
  logitsOffset(output: number): number {
    return output * (this.parameters.shape.vocabulary + this.parameters.shape.query);
  }

  /** The caller writes ∂loss/∂logits of output i here, at logitsOffset(i), before backward(). */
  get logitGradients(): Reals {
    return this.#dOut;
  }

  forward(sequences: readonly TrainingSequence[]): void {
    this.#pack(sequences);
    const { hidden } = this.parameters.shape;
    const times = this.#starts.length - 1;
    const batch = times > 0 ? this.#starts[1]! : 0;
    this.#recurrent.reserve(this.#starts[times]!, batch);
    for (let t = 0; t < times; t++) {
      const start = this.#starts[t]!;
      const before = t === 0 ? null : this.#rows(this.#recurrent.h, this.#starts[t - 1]!, hidden);
      const count = this.#starts[t + 1]! - start;
      recurrentStep(this.parameters, this.#inputs, start, before, this.#recurrent, start, count);
    }
    this.#gatherOutputs();
    const states = { data: this.#states, offset: 0, stride: hidden };
    outputHead(this.parameters, states, this.#prompts, this.head, this.outputs.length);
  }

  /** Adds the gradient of the loss to `gradient`, from what stands in logitGradients. */
  backward(gradient: PolicyParameters): void {
    this.#headBackward(gradient);
    this.#recurrentBackward(gradient);
  }

  #rows(data: Reals, firstRow: number, stride: number): Rows {
    return { data, offset: firstRow * stride, stride };
  }

  #grown(held: Reals, length: number): Reals {
    return held.length < length ? this.allocate(length) : held;
  }

  #pack(sequences: readonly TrainingSequence[]): void {
    const order = sequences.map((_, i) => i);
    order.sort((a, b) => sequences[b]!.tokens.length - sequences[a]!.tokens.length || a - b);
    this.#sorted = order.map((i) => sequences[i]!);
    const longest = this.#sorted[0]?.tokens.length ?? 0;
    const total = this.#sorted.reduce((sum, s) => sum + Math.max(0, s.tokens.length - 1), 0);
    if (this.#inputs.length < total) this.#inputs = new Int32Array(total);
    this.#starts = [0];
    this.outputs.length = 0;
    this.#outputRows = [];
    let row = 0;
    for (let t = 0; t + 1 < longest; t++) {
      for (let i = 0; i < this.#sorted.length; i++) {
        const { tokens, promptLength, isTarget } = this.#sorted[i]!;
        if (t + 1 >= tokens.length) break;
        this.#inputs[row] = tokens[t]!;
        if (t + 1 >= promptLength && (isTarget === undefined || isTarget(t + 1))) {
          this.outputs.push({ sequence: order[i]!, position: t + 1 });
          this.#outputRows.push(row);
        }
        row++;
      }
      this.#starts.push(row);
    }
    const reach = this.parameters.shape.positions;
    const prompts = sequences.map((s) =>
      Array.from({ length: Math.min(reach, s.promptLength) }, (_, j) => s.tokens[j]!),
    );
    this.#prompts = this.outputs.map((o) => prompts[o.sequence]!);
  }

  #gatherOutputs(): void {
    const { hidden, vocabulary, query } = this.parameters.shape;
    const count = this.outputs.length;
    this.#states = this.#grown(this.#states, count * hidden);
    this.#dOut = this.#grown(this.#dOut, count * (vocabulary + query));
    for (let i = 0; i < count; i++) {
      const from = this.#outputRows[i]! * hidden;
      for (let k = 0; k < hidden; k++) this.#states[i * hidden + k] = this.#recurrent.h[from + k]!;
    }
  }

  #headBackward(gradient: PolicyParameters): void {
    const { vocabulary, hidden, query, positions } = this.parameters.shape;
    const count = this.outputs.length;
    const width = vocabulary + query;
    const scoreWidth = vocabulary + positions;
    const dOut = this.#rows(this.#dOut, 0, width);
    const dQuery = { data: this.#dOut, offset: vocabulary, stride: width };
    this.#dMass = this.#grown(this.#dMass, count * vocabulary);
    this.#dScores = this.#grown(this.#dScores, count * scoreWidth);
    const dMass = this.#rows(this.#dMass, 0, vocabulary);
    const dScores = this.#rows(this.#dScores, 0, scoreWidth);
    const copyT = this.#transposed('copy', vocabulary, vocabulary);
    multiplyTransposed(dMass, dOut, copyT, count, vocabulary, vocabulary);
    addOuterSum(
      gradient.tensors.copy,
      dOut,
      this.#rows(this.head.mass, 0, vocabulary),
      count,
      vocabulary,
      vocabulary,
    );
    this.#attentionBackward(count);
    const keysT = this.#transposed('keys', scoreWidth, query);
    multiplyTransposed(dQuery, dScores, keysT, count, query, scoreWidth);
    const queries = { data: this.head.out, offset: vocabulary, stride: width };
    addOuterSum(gradient.tensors.keys, dScores, queries, count, scoreWidth, query);
    const bias = gradient.tensors.headBias;
    for (let i = 0; i < count; i++) {
      for (let v = 0; v < vocabulary; v++) bias[v] = bias[v]! + this.#dOut[i * width + v]!;
    }
    this.#dStates = this.#grown(this.#dStates, count * hidden);
    const headT = this.#transposed('head', width, hidden);
    multiplyTransposed(this.#rows(this.#dStates, 0, hidden), dOut, headT, count, hidden, width);
    addOuterSum(gradient.tensors.head, dOut, this.#rows(this.#states, 0, hidden), count, width, hidden);
  }

  #transposed(name: 'copy' | 'keys' | 'head' | 'recurrent', rows: number, cols: number): Reals {
    const into = this.allocate(rows * cols);
    transpose(into, this.parameters.tensors[name], rows, cols);
    return into;
  }

  /** From ∂loss/∂mass to ∂loss/∂scores, through the softmax over the prompt's positions. */
  #attentionBackward(count: number): void {
    const { vocabulary, positions } = this.parameters.shape;
    const scoreWidth = vocabulary + positions;
    const { attention } = this.head;
    this.#dScores.fill(0, 0, count * scoreWidth);
    for (let i = 0; i < count; i++) {
      const prompt = this.#prompts[i]!;
      let mean = 0;
      for (let j = 0; j < prompt.length; j++) {
        mean += attention[i * positions + j]! * this.#dMass[i * vocabulary + prompt[j]!]!;
      }
      for (let j = 0; j < prompt.length; j++) {
        const token = prompt[j]!;
        const ds = attention[i * positions + j]! * (this.#dMass[i * vocabulary + token]! - mean);
        const byToken = i * scoreWidth + token;
        this.#dScores[byToken] = this.#dScores[byToken]! + ds;
        this.#dScores[i * scoreWidth + vocabulary + j] = ds;
      }
    }
  }

  #recurrentBackward(gradient: PolicyParameters): void {
    const { hidden } = this.parameters.shape;
    const times = this.#starts.length - 1;
    const rows = this.#starts[times]!;
    this.#dHidden = this.#grown(this.#dHidden, rows * hidden);
    this.#dHidden.fill(0, 0, rows * hidden);
    for (let i = 0; i < this.outputs.length; i++) {
      const to = this.#outputRows[i]! * hidden;
      for (let k = 0; k < hidden; k++) this.#dHidden[to + k] = this.#dStates[i * hidden + k]!;
    }
    const batch = times > 0 ? this.#starts[1]! : 0;
    this.#dProducts = this.#grown(this.#dProducts, batch * 3 * hidden);
    this.#dBefore = this.#grown(this.#dBefore, batch * hidden);
    const recurrentT = this.#transposed('recurrent', 3 * hidden, hidden);
    for (let t = times - 1; t >= 0; t--) this.#stepBackward(gradient, t, recurrentT);
  }

  #stepBackward(gradient: PolicyParameters, t: number, recurrentT: Reals): void {
    const { hidden } = this.parameters.shape;
    const start = this.#starts[t]!;
    const count = this.#starts[t + 1]! - start;
    const before = t === 0 ? -1 : this.#starts[t - 1]!;
    const { r: R, z: Z, c: C, u: U, h: STATE } = this.#recurrent;
    const { tokenGates, candidateBias, recurrent } = gradient.tensors;
    const dHidden = this.#dHidden;
    const dProducts = this.#dProducts;
    for (let i = 0; i < count; i++) {
      const row = (start + i) * hidden;
      const previous = (before + i) * hidden;
      const product = i * 3 * hidden;
      const gates = this.#inputs[start + i]! * 3 * hidden;
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
    if (before < 0) return;
    const products = this.#rows(dProducts, 0, 3 * hidden);
    const dBefore = this.#dBefore;
    multiplyTransposed(this.#rows(dBefore, 0, hidden), products, recurrentT, count, hidden, 3 * hidden);
    for (let i = 0; i < count * hidden; i++) {
      dHidden[before * hidden + i] = dHidden[before * hidden + i]! + dBefore[i]!;
    }
    const states = this.#rows(STATE, before, hidden);
    addOuterSum(recurrent, products, states, count, 3 * hidden, hidden);
  }
}
