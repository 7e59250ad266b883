import { sampleBeta } from '../distributions';
import type { Rng } from '../random';
import type { WhatIfPrompt } from './inputs';

/**
 * Outcomes of the rollouts of one step in one draw. The i-th rollout of a prompt has the outcome of the i-th recorded
 * one; beyond those, a success probability is drawn once a prompt from its posterior and each further rollout succeeds
 * with it. Outcomes depend on the generator, the prompt and i only, so that methods are compared on the same luck.
 */
export class StepOutcomes {
  private readonly unseen: (Unseen | undefined)[];

  constructor(
    private readonly prompts: readonly WhatIfPrompt[],
    private readonly rng: Rng,
  ) {
    this.unseen = new Array<Unseen | undefined>(prompts.length);
  }

  /** 1 or 0. */
  at(prompt: number, i: number): number {
    const { recorded } = this.prompts[prompt]!;
    return i < recorded.length ? recorded[i]! : this.beyond(prompt).at(i - recorded.length);
  }

  /** Successes among the first `n` rollouts of a prompt. */
  successes(prompt: number, n: number): number {
    const { recorded } = this.prompts[prompt]!;
    const known = Math.min(n, recorded.length);
    let sum = 0;
    for (let i = 0; i < known; i++) sum += recorded[i]!;
    return n > known ? sum + this.beyond(prompt).successes(n - known) : sum;
  }

  /** Length of the i-th rollout of a prompt, tokens: the recorded one, else the mean. */
  tokens(prompt: number, i: number): number {
    const { tokens, meanTokens } = this.prompts[prompt]!;
    return tokens[i] ?? meanTokens;
  }

  /** How many of the first `n` rollouts of a prompt were not recorded. */
  simulated(prompt: number, n: number): number {
    return Math.max(0, n - this.prompts[prompt]!.recorded.length);
  }

  private beyond(prompt: number): Unseen {
    const known = this.unseen[prompt];
    if (known !== undefined) return known;
    const made = new Unseen(this.prompts[prompt]!, this.rng.fork(prompt));
    this.unseen[prompt] = made;
    return made;
  }
}

class Unseen {
  private readonly rate: number;
  private readonly drawn: number[] = [];

  constructor(
    { posterior }: WhatIfPrompt,
    private readonly rng: Rng,
  ) {
    this.rate = sampleBeta(rng, posterior.a, posterior.b);
  }

  at(i: number): number {
    while (this.drawn.length <= i) this.drawn.push(this.rng.float() < this.rate ? 1 : 0);
    return this.drawn[i]!;
  }

  successes(n: number): number {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += this.at(i);
    return sum;
  }
}
