import { exp, log } from './scalarMath';
import type { Reals } from './matmul';

export interface Alternative {
  readonly token: number;
  readonly probability: number;
}

/** Softmax of logits / temperature, with what a viewer wants to know of it. */
export class Distribution {
  readonly probabilities: Float64Array;
  /** ln of the softmax's denominator, so that logProb(t) = logit / temperature - logSum. */
  logSum = 0;
  /** Shannon entropy of the whole distribution, in nats. */
  entropy = 0;
  #logits: Reals = new Float32Array(0);
  #offset = 0;
  #temperature = 1;

  constructor(readonly size: number) {
    this.probabilities = new Float64Array(size);
  }

  /** Reads `size` logits at `offset`. Temperature must be above zero. */
  set(logits: Reals, offset: number, temperature: number): void {
    this.#logits = logits;
    this.#offset = offset;
    this.#temperature = temperature;
    const p = this.probabilities;
    let greatest = -Infinity;
    for (let v = 0; v < this.size; v++) {
      const scaled = logits[offset + v]! / temperature;
      p[v] = scaled;
      if (scaled > greatest) greatest = scaled;
    }
    let total = 0;
    let moment = 0;
    for (let v = 0; v < this.size; v++) {
      const shifted = p[v]! - greatest;
      const e = exp(shifted);
      p[v] = e;
      total += e;
      moment += e * shifted;
    }
    for (let v = 0; v < this.size; v++) p[v] = p[v]! / total;
    const logTotal = log(total);
    this.logSum = greatest + logTotal;
    this.entropy = Math.max(0, logTotal - moment / total);
  }

  /** Natural logarithm of a token's probability, exact also where the probability underflows. */
  logProb(token: number): number {
    return this.#logits[this.#offset + token]! / this.#temperature - this.logSum;
  }

  /** The token at which the cumulative probability passes `uniform` (0 ≤ uniform < 1). */
  pick(uniform: number): number {
    const p = this.probabilities;
    let left = uniform;
    let last = 0;
    for (let v = 0; v < this.size; v++) {
      const probability = p[v]!;
      if (probability > 0) last = v;
      if (left < probability) return v;
      left -= probability;
    }
    return last;
  }

  /** The most probable tokens, most probable first; equal ones in the order of their ids. */
  top(count: number): Alternative[] {
    const top: Alternative[] = [];
    if (count <= 0) return top;
    for (let token = 0; token < this.size; token++) {
      const probability = this.probabilities[token]!;
      if (top.length === count && probability <= top[count - 1]!.probability) continue;
      let at = top.length;
      while (at > 0 && top[at - 1]!.probability < probability) at--;
      top.splice(at, 0, { token, probability });
      if (top.length > count) top.pop();
    }
    return top;
  }
}
