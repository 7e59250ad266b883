import { shuffled } from '../../methods/distributions';
import { Rng } from '../../methods/random';
import type { GrpoTrainer, TrainedRollout, UpdateStats } from '../training/grpoTrainer';

/**
 * Parts of a batch, each of which makes one optimizer step. The job deals them itself and hands them to the trainer
 * one by one, so that clients are answered between two of them.
 */
const MINIBATCHES = 4;

/**
 * @param turn called before each optimizer step; false: stop here.
 * @returns figures of the whole update; null when there was nothing to train on.
 */
export async function trainBatch(
  trainer: GrpoTrainer,
  batch: readonly TrainedRollout[],
  seed: number,
  step: number,
  turn: () => Promise<boolean>,
): Promise<UpdateStats | null> {
  const dealt = shuffled(Rng.from(seed).fork(`minibatches/${step}`), batch);
  const parts = Math.min(MINIBATCHES, dealt.length);
  const stats: UpdateStats[] = [];
  for (let part = 0; part < parts; part++) {
    const start = Math.floor((part * dealt.length) / parts);
    const end = Math.floor(((part + 1) * dealt.length) / parts);
    if (!(await turn())) return null;
    stats.push(trainer.update(dealt.slice(start, end)));
  }
  await turn();
  return combine(stats);
}

function combine(stats: readonly UpdateStats[]): UpdateStats | null {
  const steps = stats.reduce((sum, { optimizerSteps }) => sum + optimizerSteps, 0);
  const tokens = stats.reduce((sum, { trainedTokens }) => sum + trainedTokens, 0);
  if (steps === 0) return null;
  const perStep = (field: 'loss' | 'gradNorm'): number =>
    stats.reduce((sum, part) => sum + part[field] * part.optimizerSteps, 0) / steps;
  const perToken = (field: 'clipFraction' | 'kl' | 'entropy'): number =>
    stats.reduce((sum, part) => sum + part[field] * part.trainedTokens, 0) / Math.max(1, tokens);
  return {
    loss: perStep('loss'),
    gradNorm: perStep('gradNorm'),
    clipFraction: perToken('clipFraction'),
    kl: perToken('kl'),
    entropy: perToken('entropy'),
    trainedTokens: tokens,
    optimizerSteps: steps,
  };
}
