import type { Measured, NamedPrompt } from './measured';

/** What was measured of one set of problems at one step; samples as columns. */
export class MeasuredSet {
  /** Index of the prompt of each sample. */
  readonly prompts: number[] = [];
  /** Scores of each sample by name; NaN: not graded, or without this score. */
  readonly scores = new Map<string, number[]>();
  /** n and c of prompts that came as counts, by index of the prompt. */
  readonly counts = new Map<number, { n: number; c: number }>();

  constructor(
    readonly use: Measured['use'],
    readonly name: string,
    readonly step: number,
    /** Names of scores that tell success, the surest first, and of the reward. */
    readonly success: readonly string[],
    readonly reward: string | null,
  ) {}

  add(prompt: number, result: Measured['result']): void {
    if ('n' in result) {
      const known = this.counts.get(prompt);
      if (known) {
        known.n += result.n;
        known.c += result.c;
      } else {
        this.counts.set(prompt, { n: result.n, c: result.c });
      }
      return;
    }
    const at = this.prompts.length;
    this.prompts.push(prompt);
    for (const [name, score] of Object.entries(result.scores)) {
      let column = this.scores.get(name);
      if (!column) {
        column = [];
        this.scores.set(name, column);
      }
      while (column.length < at) column.push(Number.NaN);
      column.push(score);
    }
  }

  /** A score of a sample; NaN where it has none. */
  score(name: string, sample: number): number {
    return this.scores.get(name)?.[sample] ?? Number.NaN;
  }
}

/** All that was read, by set and step. */
export class Measurements {
  readonly prompts: NamedPrompt[] = [];
  readonly sets: MeasuredSet[] = [];
  private readonly promptIndex = new Map<string, number>();
  private readonly setIndex = new Map<string, MeasuredSet>();

  /** `otherwise`: the step where the row does not say one. */
  add(
    { use, set, step, prompt, result }: Measured,
    format: { readonly success: readonly string[]; readonly reward: string | null },
    otherwise: number,
  ): void {
    const at = step ?? otherwise;
    const key = JSON.stringify([use, set, at]);
    let found = this.setIndex.get(key);
    if (!found) {
      found = new MeasuredSet(use, set, at, format.success, format.reward);
      this.setIndex.set(key, found);
      this.sets.push(found);
    }
    found.add(this.promptOf(prompt), result);
  }

  private promptOf(prompt: NamedPrompt): number {
    let index = this.promptIndex.get(prompt.id);
    if (index === undefined) {
      index = this.prompts.length;
      this.promptIndex.set(prompt.id, index);
      this.prompts.push(prompt);
    }
    return index;
  }
}
