/**
 * Trains offline, without a server, and prints what the acceptance of the sample run asks for:
 * pass@1 on the held-out prompts every 5 steps, the share of zero-gradient groups, tokens a rollout and
 * rollouts a second of one core (processor time of sampling and updates, evaluation not counted: the
 * figure does not suffer from what else the machine does).
 *   tsx sample-run/training/learnCheck.ts [--seeds 1,2,3] [--steps 40] [--json]
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { passAtK } from '../../methods/estimators/passAtK';
import { loadWeights } from '../policy/weights';
import { LEVELS } from '../tasks/problem';
import { HELD_OUT_TASKS } from '../tasks/taskSet';
import { evaluate } from './evaluate';
import type { Evaluation } from './evaluate';
import { OfflineRun } from './offlineRun';

const WEIGHTS = new URL('../policy/weights.bin', import.meta.url);
const SAMPLES = 64;
const EVALUATE_EVERY = 5;
/** From issue to check: start between these, rise of each seed and of their mean, tokens a rollout. */
const START: readonly [number, number] = [0.1, 0.5];
const LEAST_RISE = 0.1;
const LEAST_MEAN_RISE = 0.15;
const LEAST_TOKENS = 24;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1,2,3' },
    steps: { type: 'string', default: '40' },
    json: { type: 'boolean', default: false },
  },
});
const print = (text: string, line: object): void => console.log(values.json ? JSON.stringify(line) : text);

const mean = (numbers: readonly number[]): number =>
  numbers.reduce((a, b) => a + b, 0) / Math.max(1, numbers.length);

interface SeedResult {
  readonly start: number;
  readonly end: number;
  readonly tokens: number;
}

function curve({ prompts }: Evaluation, k: number): number {
  return mean(prompts.map(({ n, correct }) => passAtK(n, correct, k) ?? Number.NaN));
}

function runSeed(seed: number, steps: number): SeedResult {
  const run = new OfflineRun(loadWeights(readFileSync(WEIGHTS)).parameters, seed);
  const measure = (step: number): Evaluation => {
    const result = evaluate(run.parameters, HELD_OUT_TASKS, SAMPLES, seed, `evaluation/${step}`);
    const levels = LEVELS.map((level) =>
      mean(result.prompts.filter((p) => p.level === level).map((p) => p.correct / p.n)),
    );
    const pass8 = curve(result, 8);
    const pass64 = curve(result, 64);
    print(
      `seed ${seed} step ${step}: pass@1 ${result.pass1.toFixed(3)} (levels ${levels.map((l) => l.toFixed(2)).join(' ')}), pass@8 ${pass8.toFixed(3)}, pass@64 ${pass64.toFixed(3)}`,
      { seed, step, pass1: result.pass1, levels, pass8, pass64, n: SAMPLES },
    );
    return result;
  };
  const start = measure(0).pass1;
  let end = start;
  let rollouts = 0;
  let coreSeconds = 0;
  const tokens: number[] = [];
  let window: number[] = [];
  for (let step = 1; step <= steps; step++) {
    const began = process.cpuUsage();
    const report = run.step();
    const { user, system } = process.cpuUsage(began);
    rollouts += report.rollouts;
    coreSeconds += (user + system) / 1e6;
    tokens.push(report.meanTokens);
    window.push(report.zeroGradientShare);
    if (step % EVALUATE_EVERY !== 0) continue;
    const share = mean(window);
    const { loss, gradNorm, clipFraction, kl, entropy } = report.stats;
    print(
      `  zero-gradient groups ${share.toFixed(2)}, reward ${report.meanReward.toFixed(2)}, tokens ${mean(tokens).toFixed(1)}, loss ${loss.toFixed(4)}, gradient ${gradNorm.toFixed(3)}, clipped ${clipFraction.toFixed(4)}, kl ${kl.toFixed(5)}, entropy ${entropy.toFixed(3)}, ${(rollouts / coreSeconds).toFixed(0)} rollouts a core-second`,
      { seed, step, ...report, zeroGradientShare: share, rolloutsPerCoreSecond: rollouts / coreSeconds },
    );
    window = [];
    end = measure(step).pass1;
  }
  return { start, end, tokens: mean(tokens) };
}

const results = values.seeds.split(',').map((seed) => runSeed(Number(seed), Number(values.steps)));
const rises = results.map(({ start, end }) => end - start);
const holds =
  results.every(({ start, tokens }) => start >= START[0] && start <= START[1] && tokens >= LEAST_TOKENS) &&
  rises.every((rise) => rise >= LEAST_RISE) &&
  mean(rises) >= LEAST_MEAN_RISE;
print(
  `rise of pass@1: ${rises.map((rise) => rise.toFixed(3)).join(', ')}; mean ${mean(rises).toFixed(3)}. ${holds ? 'Holds.' : 'Does not hold.'}`,
  { rises, meanRise: mean(rises), holds },
);
process.exitCode = holds ? 0 : 1;
