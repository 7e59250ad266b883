import { Rng } from '../../methods/random';
import { Distribution } from '../policy/distribution';
import { initialParameters, viewParameters, zeroParameters } from '../policy/policyParameters';
import type { PolicyParameters, PolicyShape } from '../policy/policyParameters';
import { SequencePass } from '../policy/sequencePass';
import type { TrainingSequence } from '../policy/packedSequences';
import { demonstrate } from '../tasks/demonstration';
import type { DemonstratorHabits } from '../tasks/demonstration';
import { promptTokens, randomProblem } from '../tasks/problem';
import type { Level } from '../tasks/problem';
import { isTaskProblem } from '../tasks/taskSet';
import { Adam } from './adam';

/** All that determines the weights of the warm start. */
export interface WarmStartRecipe {
  readonly seed: number;
  readonly shape: PolicyShape;
  readonly habits: DemonstratorHabits;
  /** Levels of the demonstrations in a batch, in turn. */
  readonly levels: readonly Level[];
  readonly updates: number;
  readonly batch: number;
  readonly learningRate: number;
  /** The rate falls linearly from learningRate to this one. */
  readonly finalLearningRate: number;
}

/**
 * Fits a new policy to demonstrations by maximum likelihood. No demonstration solves a prompt of the
 * data set, training or held out.
 * @param report called after each update with the mean loss per target token, in nats
 */
export function warmStart(
  recipe: WarmStartRecipe,
  report: (update: number, loss: number) => void,
): PolicyParameters {
  const random = Rng.from(recipe.seed).fork('warm-start');
  const parameters = initialParameters(recipe.shape, random);
  const gradient = zeroParameters(recipe.shape);
  const adam = new Adam(parameters.values.length);
  const pass = new SequencePass(parameters);
  for (let update = 0; update < recipe.updates; update++) {
    const sequences = Array.from({ length: recipe.batch }, (_, i) => demonstration(recipe, i, random));
    const loss = imitate(pass, sequences, gradient);
    const done = update / recipe.updates;
    const rate = recipe.learningRate + (recipe.finalLearningRate - recipe.learningRate) * done;
    adam.update(parameters.values, gradient.values, rate);
    report(update, loss);
  }
  return viewParameters(recipe.shape, parameters.values);
}

function demonstration(recipe: WarmStartRecipe, index: number, random: Rng): TrainingSequence {
  const level = recipe.levels[index % recipe.levels.length]!;
  let problem = randomProblem(level, random);
  while (isTaskProblem(problem)) problem = randomProblem(level, random);
  const prompt = promptTokens(problem);
  return {
    tokens: [...prompt, ...demonstrate(problem, recipe.habits, random)],
    promptLength: prompt.length,
  };
}

/** Mean negative log-likelihood of the targets; its gradient replaces what is in `gradient`. */
export function imitate(
  pass: SequencePass,
  sequences: readonly TrainingSequence[],
  gradient: PolicyParameters,
): number {
  gradient.values.fill(0);
  pass.forward(sequences);
  const count = pass.outputs.length;
  const distribution = new Distribution(pass.parameters.shape.vocabulary);
  let loss = 0;
  pass.outputs.forEach(({ sequence, position }, i) => {
    const target = sequences[sequence]!.tokens[position]!;
    const at = pass.logitsOffset(i);
    distribution.set(pass.head.out, at, 1);
    loss -= distribution.logProb(target) / count;
    for (let v = 0; v < distribution.size; v++) {
      const hit = v === target ? 1 : 0;
      pass.logitGradients[at + v] = (distribution.probabilities[v]! - hit) / count;
    }
  });
  pass.backward(gradient);
  return loss;
}
