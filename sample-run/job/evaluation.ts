import { viewParameters, type PolicyParameters } from '../policy/policyParameters';
import { Sampler } from '../policy/sampler';
import { HELD_OUT_TASKS, type Task } from '../tasks/taskSet';
import { END_TOKEN } from '../tasks/vocabulary';
import { verify } from '../tasks/verifier';
import { MAX_RESPONSE_TOKENS } from '../training/samplePrompts';

/** Prompts of one batch: enough rows to be quick, few enough to stay in the cache and to leave the loop soon. */
const PROMPTS_AT_ONCE = 2;

interface Row {
  readonly handle: number;
  readonly task: number;
  readonly response: number[];
}

/**
 * Counts right answers on the held-out prompts with the weights of one moment, a few tokens at a time, so that it
 * can run beside the training. Independent samples at temperature 1.
 */
export class Evaluation {
  readonly prompts: readonly Task[] = HELD_OUT_TASKS;
  readonly correct: number[];
  private readonly sampler: Sampler;
  private rows: Row[] = [];
  private started = 0;

  /** @param parameters are copied. */
  constructor(
    parameters: PolicyParameters,
    seed: number,
    readonly samples: number,
    readonly step: number,
    readonly policyVersion: number,
  ) {
    const copy = viewParameters(parameters.shape, Float32Array.from(parameters.values));
    this.sampler = new Sampler(copy, seed, 0);
    this.correct = this.prompts.map(() => 0);
  }

  /**
   * Draws one token for each sample under way.
   *
   * @returns whether there was anything left to draw.
   */
  advance(): boolean {
    if (this.rows.length === 0) this.open();
    if (this.rows.length === 0) return false;
    const sampled = this.sampler.step(this.rows.map(({ handle }) => handle));
    this.rows = this.rows.filter((row, i) => {
      const { token } = sampled[i]!;
      row.response.push(token);
      if (token !== END_TOKEN && row.response.length < MAX_RESPONSE_TOKENS) return true;
      this.correct[row.task]! += verify(this.prompts[row.task]!.problem, row.response).reward;
      this.sampler.close(row.handle);
      return false;
    });
    return true;
  }

  private open(): void {
    const end = Math.min(this.prompts.length, this.started + PROMPTS_AT_ONCE);
    for (; this.started < end; this.started++) {
      const { id, tokens } = this.prompts[this.started]!;
      for (let i = 0; i < this.samples; i++) {
        const key = `evaluation/${this.step}/${id}/${i}`;
        const handle = this.sampler.open(tokens, { key, temperature: 1 });
        this.rows.push({ handle, task: this.started, response: [] });
      }
    }
  }
}
