/**
 * Time of every allocation method for one step of 10,000 prompts with statistics as a run records them: all its rounds,
 * without the rollouts. Arguments: prompts (10000), repeats (5).
 */
import type { AllocationMethod } from '../methods/allocation/allocator';
import { exampleParameters } from '../methods/allocation/exampleParameters';
import type { AllocationInputs, PromptInput } from '../methods/allocation/inputs';
import { allocationMethods } from '../methods/allocation/methods';
import { runToEnd } from '../methods/allocation/runToEnd';
import type { RolloutResult } from '../methods/allocation/runToEnd';
import { Rng } from '../methods/random';

const PROMPTS = Number(process.argv[2] ?? 10_000);
const REPEATS = Number(process.argv[3] ?? 5);
const PER_PROMPT = 16;
const DIMENSIONS = 8;
const DOMAINS = ['math', 'coding', 'logic', 'ifeval', 'fn_calling'];

function promptOf(rng: Rng, i: number): PromptInput {
  // Half of the prompts are solved always or never, as in long runs.
  const rate = i % 2 === 0 ? rng.float() : i % 4 === 1 ? 0 : 1;
  const history = Array.from({ length: i % 4 }, (_, step) => {
    const rewards = Array.from({ length: 8 }, () => (rng.float() < rate ? 1 : 0));
    const successes = rewards.filter((reward) => reward === 1).length;
    return { step: step + 1, rollouts: 8, successes, meanReward: successes / 8, rewards };
  });
  return {
    id: `p${i}`,
    passRate: { value: Math.round(rate * 16) / 16, samples: 16 },
    initialRate: { value: Math.round(rate * 8) / 8, samples: 8 },
    history,
    prediction: rate,
    difficultyRank: i / PROMPTS,
    domain: DOMAINS[i % DOMAINS.length]!,
    score: 0.01 + 0.99 * rng.float(),
    embedding: Array.from({ length: DIMENSIONS }, () => rng.float() - 0.5),
    gradientSpread: rng.float(),
    meanTokens: 200 + 800 * rng.float(),
    partner: { rollouts: 8, successes: Math.round(8 * rng.float()) },
  };
}

function inputsOf(): AllocationInputs {
  const rng = Rng.from('allocate');
  return {
    prompts: Array.from({ length: PROMPTS }, (_, i) => promptOf(rng, i)),
    budget: PER_PROMPT * PROMPTS,
    failureRate: 0.5,
    epoch: 1,
    step: 50,
    totalSteps: 200,
    entropies: Array.from({ length: 49 }, () => 0.3 + 0.1 * rng.float()),
    completedByDomain: Object.fromEntries(DOMAINS.map((domain, i) => [domain, 100 * (i + 1)])),
    domainWeights: Object.fromEntries(DOMAINS.map((domain, i) => [domain, 5 - i])),
  };
}

/** Milliseconds that the method itself took, over all its rounds. */
function timed(method: AllocationMethod, inputs: AllocationInputs): number {
  let ms = 0;
  const clock = <T>(work: () => T): T => {
    const from = performance.now();
    const result = work();
    ms += performance.now() - from;
    return result;
  };
  const watched: AllocationMethod = {
    ...method,
    start: (...given) => clock(() => method.start(...given)),
    next: (...given) => clock(() => method.next(...given)),
  };
  const result = (prompt: number, i: number): RolloutResult => {
    const rate = inputs.prompts[prompt]!.prediction!;
    const reward = (rate * 16 + 7 * i) % 16 >= 16 * (1 - rate) ? 1 : 0;
    return {
      reward,
      answer: reward === 1 ? 'right' : `wrong ${i % 3}`,
      tokens: 300,
      ending: 'complete',
      prediction: rate,
    };
  };
  runToEnd(watched, inputs, Rng.from(1), result, parametersOf(method));
  return ms;
}

/** Round sizes that are not published stand in proportion to the step. */
const parametersOf = (method: AllocationMethod) => ({
  ...exampleParameters(method),
  ...(method.id === 'xrpo' ? { perRound: PROMPTS } : {}),
});

const inputs = inputsOf();
for (const method of allocationMethods) {
  try {
    const times = Array.from({ length: REPEATS }, () => timed(method, inputs)).sort((a, b) => a - b);
    const name = `${method.id.replaceAll('-', '_')}_ms`;
    const value = Number(times[REPEATS >> 1]!.toPrecision(4));
    console.log(JSON.stringify({ bench: 'allocate', name, value, unit: 'ms', n: PROMPTS }));
  } catch (error) {
    console.error(`${method.id}: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}
