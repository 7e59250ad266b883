import { counted, figure } from '../figures';
import { numberOf, numberParameter } from '../parameters';
import { Refusal } from '../refusal';
import { allocationMethod } from './allocator';
import type { AllocationRequest } from './allocator';
import { softmax } from './dots';

const scoreTemperature = numberParameter(
  'scoreTemperature',
  0.1,
  [1e-6, 100],
  'Temperature of the weights by score (T_b).',
);
const similarityTemperature = numberParameter(
  'similarityTemperature',
  0.01,
  [1e-6, 100],
  'Temperature of the similarities among partial solutions (T_s).',
);

/** Nearest whole number, halves to the even one, as numpy and Python round. */
export function roundHalfEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest !== 0.5) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}

/** All pairs are compared: beyond this many the answer would take minutes. */
const MOST_COMPARED = 20_000;

/** Beyond this many temperatures apart a similarity adds less than single precision holds. */
const NEGLIGIBLE = 50;

/** Vectors of length 1, one after the other; all 0 where an embedding is. */
function unitVectors(embeddings: readonly (readonly number[])[]): {
  values: Float64Array;
  dimensions: number;
} {
  const dimensions = embeddings[0]?.length ?? 0;
  const values = new Float64Array(embeddings.length * dimensions);
  embeddings.forEach((embedding, i) => {
    const norm = Math.sqrt(embedding.reduce((sum, value) => sum + value * value, 0));
    if (norm > 0) embedding.forEach((value, d) => (values[i * dimensions + d] = value / norm));
  });
  return { values, dimensions };
}

/**
 * How much of its direction is each one's own: its entry in the softmax of its cosine similarities to all. Similarities
 * and results in single precision, as released; each pair is compared once.
 */
export function doraOwn(embeddings: readonly (readonly number[])[], temperature: number): number[] {
  const n = embeddings.length;
  const { values, dimensions } = unitVectors(embeddings);
  const similarity = (i: number, j: number): number => {
    let dot = 0;
    for (let d = 0; d < dimensions; d++) dot += values[i * dimensions + d]! * values[j * dimensions + d]!;
    return Math.fround(dot);
  };
  const itself = Float64Array.from({ length: n }, (_, i) => similarity(i, i));
  const sums = new Float64Array(n).fill(1);
  const add = (i: number, between: number): void => {
    const apart = (between - itself[i]!) / temperature;
    if (apart > -NEGLIGIBLE) sums[i]! += Math.exp(apart);
  };
  for (let i = 0; i < n; i++) {
    for (let j = i + 1; j < n; j++) {
      const between = similarity(i, j);
      add(i, between);
      add(j, between);
    }
  }
  return Array.from(sums, (sum) => Math.fround(1 / sum));
}

export interface DoraShares {
  /** Softmax of all scores, and the counts it would give alone (REBASE). */
  readonly weights: readonly number[];
  readonly firstCounts: readonly number[];
  /** Partial solutions with a first count; the columns below have one entry for each. */
  readonly survivors: readonly number[];
  /** How much of its direction is its own: its entry in the softmax of its similarities to all survivors. */
  readonly own: readonly number[];
  readonly finalWeights: readonly number[];
  readonly counts: readonly number[];
}

/**
 * Shares of `budget` continuations. All first counts may be 0: then nobody survives. Throws a Refusal for more survivors
 * than can be compared with each other.
 */
export function doraShares(
  scores: readonly number[],
  embeddings: readonly (readonly number[])[],
  by: { readonly budget: number; readonly scoreTemperature: number; readonly similarityTemperature: number },
): DoraShares {
  const weights = softmax(scores.map((score) => score / by.scoreTemperature));
  const firstCounts = weights.map((weight) => roundHalfEven(by.budget * weight));
  const survivors = firstCounts.flatMap((count, i) => (count > 0 ? [i] : []));
  if (survivors.length > MOST_COMPARED) {
    throw new Refusal(
      'bad-budget',
      `${survivors.length} partial solutions would go on; at most ${MOST_COMPARED} can be compared with each other. Lower the budget.`,
    );
  }
  const own = doraOwn(
    survivors.map((i) => embeddings[i]!),
    by.similarityTemperature,
  );
  const again = softmax(survivors.map((i) => scores[i]! / by.scoreTemperature));
  const products = again.map((weight, row) => weight * own[row]!);
  const total = products.reduce((sum, product) => sum + product, 0);
  const finalWeights = products.map((product) => product / total);
  const counts = finalWeights.map((weight) => roundHalfEven(by.budget * weight));
  return { weights, firstCounts, survivors, own, finalWeights, counts };
}

/**
 * Partial solution behind each of the `budget` continuations of the next step: each survivor as often as it counts, in
 * order, then again from the start where rounding gave too few, cut where it gave too many.
 */
export function doraBeams(
  { survivors, counts }: Pick<DoraShares, 'survivors' | 'counts'>,
  budget: number,
): number[] {
  const once = survivors.flatMap((i, row) => new Array<number>(counts[row]!).fill(i));
  if (once.length === 0) return [];
  return Array.from({ length: budget }, (_, beam) => once[beam % once.length]!);
}

/**
 * DORA: continuations among partial solutions by score, each weighed down by how many others point the same way, in a
 * search at test time (Wang et al., equations 4, 6 and 10 to 13; scripts/sal/search/dora.py). `inputs.prompts` are the
 * live partial solutions, `inputs.budget` the continuations of the next step. Throws a Refusal where no weight rounds
 * to one continuation, as the release fails there.
 */
export const dora = allocationMethod({
  id: 'dora',
  title: 'DORA',
  summary: 'Shares continuations among partial solutions by score and by how different they are.',
  family: 'search',
  confidence: 'exact',
  source: {
    paper: 'PAPER.pdf of the code',
    equation: 'equations 4, 6, 10 to 13',
    code: 'WangXinglin/DORA:scripts/sal/search/dora.py',
    commit: 'eda87c04eb',
  },
  parameters: [scoreTemperature, similarityTemperature],
  keepsTotal: true,
  needs: ['score', 'embedding'],
  uses: [],
  caveats: [
    'The released function stops with two undefined names; they are read as the similarities of all live partial solutions and the survivors of the first pass.',
    'Work grows with the square of the partial solutions: all pairs are compared.',
  ],
  decide: ({ inputs, parameters }) => {
    const { budget, prompts } = inputs;
    const shares = doraShares(
      prompts.map(({ score }) => score!),
      prompts.map(({ embedding }) => embedding!),
      {
        budget,
        scoreTemperature: numberOf(parameters, scoreTemperature),
        similarityTemperature: numberOf(parameters, similarityTemperature),
      },
    );
    const beams = doraBeams(shares, budget);
    if (beams.length < budget) {
      throw new Refusal(
        'bad-budget',
        `With ${counted(budget, 'continuation')} every share among ${prompts.length} rounds to 0, so nothing would go on. Raise the budget.`,
      );
    }
    const counts = new Array<number>(prompts.length).fill(0);
    for (const source of beams) counts[source]! += 1;
    const row = new Map(shares.survivors.map((prompt, i) => [prompt, i]));
    const rounded = shares.counts.reduce((sum, count) => sum + count, 0);
    return {
      done: true,
      shared: { budget, survivors: shares.survivors.length, rounded },
      ...(rounded === budget
        ? {}
        : {
            remark: `The rounded shares are ${rounded} of ${budget}: they are ${rounded < budget ? 'repeated from the start' : 'cut at the end'}, as in the release.`,
          }),
      requests: counts.map((count, prompt): AllocationRequest => {
        const weight = shares.weights[prompt]!;
        const at = row.get(prompt);
        const score = prompts[prompt]!.score!;
        const common = { prompt, action: 'fork' as const, count };
        if (at === undefined) {
          return {
            ...common,
            reasonCode: 'pruned',
            reason: `Score ${figure(score)}: ${budget} · ${figure(weight)} rounds to 0, so it is pruned.`,
            numbers: { score, weight },
          };
        }
        const own = shares.own[at]!;
        const share = shares.finalWeights[at]!;
        return {
          ...common,
          reasonCode: count > 0 ? 'continued' : 'pruned',
          reason: `Score ${figure(score)} and ${figure(own)} of its direction its own: ${budget} · ${figure(share)} = ${figure(budget * share)}, ${counted(count, 'continuation')}.`,
          numbers: { score, weight, own, share },
        };
      }),
    };
  },
});
