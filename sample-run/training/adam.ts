import type { Reals } from '../policy/matmul';

export interface AdamOptions {
  readonly beta1: number;
  readonly beta2: number;
  readonly epsilon: number;
  /** Gradients with a larger Euclidean norm are scaled down to it. */
  readonly maxGradNorm: number;
}

export const ADAM_DEFAULTS: AdamOptions = { beta1: 0.9, beta2: 0.99, epsilon: 1e-8, maxGradNorm: 1 };

/** Adam (Kingma and Ba 2015, algorithm 1) with clipping by the global norm. */
export class Adam {
  readonly first: Float32Array;
  readonly second: Float32Array;
  /** Updates done. */
  updates = 0;
  #power1 = 1;
  #power2 = 1;

  constructor(
    readonly size: number,
    readonly options: AdamOptions = ADAM_DEFAULTS,
  ) {
    this.first = new Float32Array(size);
    this.second = new Float32Array(size);
  }

  /** Changes `values` in place. Returns the norm of the gradient before clipping. */
  update(values: Reals, gradient: Reals, learningRate: number): number {
    const { beta1, beta2, epsilon, maxGradNorm } = this.options;
    let squares = 0;
    for (let i = 0; i < this.size; i++) squares += gradient[i]! * gradient[i]!;
    const norm = Math.sqrt(squares);
    const scale = norm > maxGradNorm ? maxGradNorm / norm : 1;
    this.updates += 1;
    this.#power1 *= beta1;
    this.#power2 *= beta2;
    const step = learningRate / (1 - this.#power1);
    const correction = 1 / (1 - this.#power2);
    for (let i = 0; i < this.size; i++) {
      const g = gradient[i]! * scale;
      const m = beta1 * this.first[i]! + (1 - beta1) * g;
      const v = beta2 * this.second[i]! + (1 - beta2) * g * g;
      this.first[i] = m;
      this.second[i] = v;
      values[i] = values[i]! - (step * m) / (Math.sqrt(v * correction) + epsilon);
    }
    return norm;
  }

  /** Continues from saved moments: the powers of the betas follow from the number of updates. */
  restore(first: Float32Array, second: Float32Array, updates: number): void {
    this.first.set(first);
    this.second.set(second);
    this.updates = updates;
    this.#power1 = 1;
    this.#power2 = 1;
    for (let i = 0; i < updates; i++) {
      this.#power1 *= this.options.beta1;
      this.#power2 *= this.options.beta2;
    }
  }
}
