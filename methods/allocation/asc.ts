import { counted, figure } from '../figures';
import { choiceOf, choiceParameter, integerParameter, numberOf, numberParameter } from '../parameters';
import { allocationMethod } from './allocator';
import type { AllocationRequest, RoundDecision } from './allocator';
import { numbersIn } from './inputs';

const criterion = choiceParameter(
  'criterion',
  'beta',
  ['beta', 'majority', 'entropy'],
  'What says that the most common answer is settled. Published thresholds: 0.95 for beta, 0.8 for majority, 0.75 for entropy.',
);
const threshold = numberParameter(
  'threshold',
  0.95,
  [0, 1],
  'Stop once the criterion reaches this; for entropy, once it falls to this.',
);
const most = integerParameter('most', 40, [1, 1000], 'Most answers of a prompt (max_gens).', 'rollouts');

/** How often each distinct answer was given, in the order in which they were first seen. */
export function answerCounts(answers: readonly string[]): number[] {
  const places = new Map<string, number>();
  const counts: number[] = [];
  for (const answer of answers) {
    const place = places.get(answer);
    if (place === undefined) places.set(answer, counts.push(1) - 1);
    else counts[place]! += 1;
  }
  return counts;
}

/**
 * P(Beta(a + 1, b + 1) > ½) = Σ_{k ≤ a} C(a + b + 1, k) / 2^(a + b + 1): the probability that the answer seen a times is
 * the more frequent one of two. Exact in doubles up to 50 answers.
 */
export function leadProbability(a: number, b: number): number {
  const n = a + b + 1;
  let term = 1;
  let sum = 0;
  for (let k = 0; k <= a; k++) {
    sum += term;
    term = (term * (n - k)) / (k + 1);
  }
  return sum / 2 ** n;
}

/**
 * Value of a criterion; undefined where it does not judge. beta: from the two greatest counts. majority: share of the
 * greatest; entropy: of all counts over that of as many equal ones, base 2. These two do not judge one answer, and as
 * released entropy counts a second, made-up answer once where all agree.
 */
export function ascCriterion(kind: string, counts: readonly number[]): number | undefined {
  const [first = 0, second = 0] = [...counts].sort((a, b) => b - a);
  if (kind === 'beta') return leadProbability(first, second);
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total <= 1) return undefined;
  if (kind === 'majority') return first / total;
  const padded = counts.length === 1 ? [first, 1] : counts;
  const all = padded.reduce((sum, count) => sum + count, 0);
  const entropy = padded.reduce((sum, count) => sum - (count / all) * Math.log2(count / all), 0);
  return entropy / Math.log2(padded.length);
}

export function ascStops(kind: string, value: number | undefined, limit: number): boolean {
  if (value === undefined) return false;
  return kind === 'entropy' ? value <= limit : value >= limit;
}

const NAMES: Readonly<Record<string, string>> = {
  beta: 'the probability that the most common answer leads',
  majority: 'the share of the most common answer',
  entropy: 'the entropy of the answers',
};

/**
 * ASC, adaptive consistency: one answer at a time, until the most common one is settled or `most` were sampled
 * (Aggarwal et al., arXiv 2305.11860; AdaptiveConsistency). Of equally common answers the one seen first counts as the
 * most common. `inputs.budget` is not read. A prompt whose last rollout did not finish is asked again, up to `most`
 * launches.
 */
export const asc = allocationMethod({
  id: 'asc',
  title: 'ASC (adaptive consistency)',
  summary: 'Samples one answer at a time and stops once the most common one is settled.',
  family: 'stop',
  confidence: 'exact',
  source: {
    paper: 'arXiv 2305.11860',
    equation: 'stopping criteria',
    code: 'Pranjal2041/AdaptiveConsistency:adaptive_consistency/stopping_criterias.py, main.py:AC.should_stop',
    commit: '899ab565eb',
  },
  parameters: [criterion, threshold, most],
  keepsTotal: false,
  needs: ['answers'],
  uses: [],
  caveats: [
    'The Dirichlet and the random criterion are left out: with three or more answers they draw random numbers.',
    'One answer is asked for at a time, so a step takes as many rounds as its longest prompt has answers.',
    'By entropy, agreement is never taken for certain, because a second answer is made up.',
  ],
  decide: ({ inputs, parameters, round, finished, asked, memory }): RoundDecision => {
    const kind = choiceOf(parameters, criterion);
    const limit = numberOf(parameters, threshold);
    const cap = numberOf(parameters, most);
    const active =
      round === 0 ? inputs.prompts.map((_, prompt) => prompt) : (numbersIn(memory, 'active') ?? []);
    const going: number[] = [];
    const requests = active.map((prompt): AllocationRequest => {
      const { answers } = finished[prompt]!;
      const counts = answerCounts(answers);
      const value = answers.length === 0 ? undefined : ascCriterion(kind, counts);
      const numbers = {
        answers: answers.length,
        distinct: counts.length,
        ...(value === undefined ? {} : { value }),
      };
      const judged =
        value === undefined
          ? `${counted(answers.length, 'answer')}, too few to judge`
          : `${counted(answers.length, 'answer')}, ${counts.length} distinct: ${NAMES[kind] ?? kind} is ${figure(value)}`;
      if (ascStops(kind, value, limit)) {
        const how = kind === 'entropy' ? 'down to' : 'reaching';
        return {
          prompt,
          action: 'stop',
          count: 0,
          reasonCode: 'settled',
          reason: `${judged}, ${how} ${figure(limit)}: no more.`,
          numbers,
        };
      }
      if (asked[prompt]! >= cap) {
        return {
          prompt,
          action: 'stop',
          count: 0,
          reasonCode: 'at-most',
          reason: `${judged}; ${cap} are the most.`,
          numbers,
        };
      }
      going.push(prompt);
      const against = value === undefined ? '' : `, not yet ${figure(limit)}`;
      return {
        prompt,
        action: 'launch',
        count: 1,
        reasonCode: 'unsettled',
        reason: `${judged}${against}: one more.`,
        numbers,
      };
    });
    return {
      requests,
      done: going.length === 0,
      memory: { active: going },
      shared: { threshold: limit, most: cap, active: going.length },
    };
  },
});
