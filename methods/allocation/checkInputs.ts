import { Refusal } from '../refusal';
import type { AllocationInputs, PassRate, PastGroup, PromptInput } from './inputs';

const isWhole = (value: number, least: number): boolean => Number.isInteger(value) && value >= least;
const isShare = (value: number): boolean => value >= 0 && value <= 1;

const rateProblem = ({ value, samples }: PassRate): string | undefined => {
  if (!isShare(value)) return `a pass rate of ${value}; it must lie between 0 and 1`;
  if (samples === 0) return 'a pass rate without any sample behind it; leave it out instead';
  if (samples !== undefined && !isWhole(samples, 1)) return `${samples} samples; give a whole number`;
  return undefined;
};

const groupProblem = ({ rollouts, successes, meanReward, rewards }: PastGroup): string | undefined => {
  if (!isWhole(rollouts, 1)) return `an earlier group of ${rollouts} rollouts`;
  if (!isWhole(successes, 0) || successes > rollouts) {
    return `an earlier group with ${successes} successes of ${rollouts}`;
  }
  if (!Number.isFinite(meanReward)) return `an earlier group with a mean reward of ${meanReward}`;
  if (rewards !== undefined && (rewards.length !== rollouts || !rewards.every(Number.isFinite))) {
    return `an earlier group of ${rollouts} rollouts with ${rewards.filter(Number.isFinite).length} rewards`;
  }
  return undefined;
};

/** What is impossible about one prompt, as the end of "Prompt p has …". */
function promptProblem(prompt: PromptInput, dimensions: number): string | undefined {
  const { passRate, initialRate, history, prediction, difficultyRank, score, embedding, partner } = prompt;
  const { gradientSpread, meanTokens } = prompt;
  for (const rate of [passRate, initialRate]) {
    const why = rate === undefined ? undefined : rateProblem(rate);
    if (why !== undefined) return why;
  }
  for (const group of history ?? []) {
    const why = groupProblem(group);
    if (why !== undefined) return why;
  }
  if (prediction !== undefined && !isShare(prediction)) {
    return `a predicted success probability of ${prediction}; it must lie between 0 and 1`;
  }
  if (difficultyRank !== undefined && !(difficultyRank >= 0 && difficultyRank < 1)) {
    return `a rank by difficulty of ${difficultyRank}; it must lie between 0 and 1, 1 excluded`;
  }
  if (score !== undefined && !Number.isFinite(score)) return `a score of ${score}; give a number`;
  if (embedding !== undefined) {
    if (embedding.length !== dimensions) {
      return `an embedding of ${embedding.length} numbers, where the first has ${dimensions}`;
    }
    if (!embedding.every(Number.isFinite) || embedding.every((value) => value === 0)) {
      return 'an embedding without a direction: give finite numbers that are not all 0';
    }
  }
  if (gradientSpread !== undefined && !(gradientSpread >= 0 && gradientSpread < Infinity)) {
    return `a gradient spread of ${gradientSpread}; it must be 0 or more`;
  }
  if (meanTokens !== undefined && !(meanTokens > 0 && meanTokens < Infinity)) {
    return `a mean length of ${meanTokens} tokens; it must be above 0`;
  }
  if (
    partner !== undefined &&
    !(isWhole(partner.rollouts, 1) && isWhole(partner.successes, 0) && partner.successes <= partner.rollouts)
  ) {
    return `a partner group with ${partner.successes} successes of ${partner.rollouts}`;
  }
  return undefined;
}

/** What is impossible about the step, as a sentence. */
function stepProblem(inputs: AllocationInputs): string | undefined {
  const { failureRate, epoch, step, totalSteps, entropies, completedByDomain, domainWeights } = inputs;
  if (failureRate !== undefined && !isShare(failureRate)) {
    return `A failure rate of ${failureRate} does not exist: it lies between 0 and 1.`;
  }
  if (epoch !== undefined && !isWhole(epoch, 0)) return `There is no pass number ${epoch} over the data.`;
  for (const number of [step, totalSteps]) {
    if (number !== undefined && !isWhole(number, 1)) return `There is no step ${number}: steps count from 1.`;
  }
  const entropy = entropies?.find((value) => !(value >= 0 && value < Infinity));
  if (entropy !== undefined) return `An entropy of ${entropy} nats does not exist: it is 0 or more.`;
  for (const [name, value] of Object.entries(completedByDomain ?? {})) {
    if (!isWhole(value, 0)) return `The domain ${name} cannot have ${value} completed rollouts.`;
  }
  for (const [name, value] of Object.entries(domainWeights ?? {})) {
    if (!(value >= 0 && value < Infinity)) return `The domain ${name} cannot have a weight of ${value}.`;
  }
  return undefined;
}

/** Throws a Refusal, naming the first prompt, if an input is impossible. */
export function checkInputs(inputs: AllocationInputs): void {
  const { prompts, budget } = inputs;
  if (prompts.length === 0) throw new Refusal('bad-budget', 'There is no prompt to give rollouts to.');
  if (!isWhole(budget, 0)) {
    throw new Refusal(
      'bad-budget',
      `A budget of ${budget} rollouts cannot be handed out; give a whole number.`,
    );
  }
  const problem = stepProblem(inputs);
  if (problem !== undefined) throw new Refusal('bad-rate', problem);
  const dimensions = prompts.find(({ embedding }) => embedding !== undefined)?.embedding?.length ?? 0;
  prompts.forEach((prompt, i) => {
    const why = promptProblem(prompt, dimensions);
    if (why !== undefined) throw new Refusal('bad-rate', `Prompt ${prompt.id} has ${why}.`, [i]);
  });
}
