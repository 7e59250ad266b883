import { Evaluation } from './evaluation';
import type { JobState } from './jobState';

/** Name of the set of held-out problems. */
const HELD_OUT = 'held-out sums';

/** Evaluates the weights of every few steps, beside the step that follows, and finishes before that one closes. */
export class EvaluationStage {
  private evaluation: Evaluation | null = null;

  constructor(private readonly job: JobState) {}

  /** Begins one when the weights of the last step are due. */
  beginIfDue(): void {
    const { settings, evaluatedStep, doneStep, trainer, policyVersion } = this.job;
    const { evaluateEvery, evaluateSamples, seed } = settings;
    if (this.evaluation || doneStep % evaluateEvery !== 0 || evaluatedStep >= doneStep) return;
    if (evaluateSamples === 0) return;
    this.evaluation = new Evaluation(trainer.parameters, seed, evaluateSamples, doneStep, policyVersion);
  }

  /** Goes on with it for at most so many milliseconds of the job’s clock. */
  workFor(milliseconds: number): void {
    const { clock } = this.job;
    const until = clock.now() + milliseconds;
    while (this.evaluation?.advance() === true && clock.now() < until);
  }

  /**
   * Does what is left of it and publishes it.
   *
   * @param turn called before each turn; false: stop here.
   */
  async finish(turn: () => Promise<boolean>): Promise<void> {
    const { job, evaluation } = this;
    if (!evaluation) return;
    job.publisher.add('stepPhase', { step: job.openStep ?? job.doneStep, phase: 'evaluate' });
    while (evaluation.advance()) {
      if (!(await turn())) return;
      job.runner.round((rollout) => rollout.use === 'probe');
    }
    this.evaluation = null;
    const { samples, correct, prompts, step, policyVersion } = evaluation;
    job.publisher.add('evaluation', {
      evaluation: job.ids.evaluation(step),
      name: HELD_OUT,
      step,
      policyVersion,
      sampling: { temperature: 1 },
      problems: {
        prompts: prompts.map(({ id }) => id),
        n: prompts.map(() => samples),
        c: [...correct],
      },
    });
    job.evaluatedStep = step;
    job.passAt1 = correct.reduce((sum, c) => sum + c / samples, 0) / correct.length;
    job.breakpoints.check(job.openStep ?? job.doneStep, {
      passRate: { value: job.passAt1, what: 'it was' },
    });
  }
}
