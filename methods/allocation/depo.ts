import { counted, figure } from '../figures';
import { integerParameter, numberOf, numberParameter } from '../parameters';
import { Refusal } from '../refusal';
import { allocationMethod } from './allocator';
import type { AllocationRequest } from './allocator';
import { groupSize, groupsIn } from './choice';

const low = numberParameter(
  'low',
  0.15,
  [0, 1],
  'Lowest predicted success that is kept: below it a prompt is too hard.',
);
const high = numberParameter(
  'high',
  0.85,
  [0, 1],
  'Highest predicted success that is kept: above it a prompt is too easy.',
);
const warmUp = integerParameter(
  'warmUp',
  100,
  [0, 1_000_000_000],
  'First steps, in which every prompt is kept.',
  'steps',
);
const workers = integerParameter(
  'workers',
  1,
  [1, 65_536],
  'A short last batch is filled up to a multiple of this by repeating prompts: the job’s number of workers.',
  'workers',
);

/** Whether a prediction is kept; bounds inclusive, compared in single precision as released. */
export function depoKeeps(prediction: number, from: number, to: number): boolean {
  const value = Math.fround(prediction);
  return value >= Math.fround(from) && value <= Math.fround(to);
}

/** Places of the first `wanted` kept ones, and how many had to be looked at. */
export function depoScan(
  count: number,
  wanted: number,
  keeps: (place: number) => boolean,
): { readonly kept: readonly number[]; readonly scanned: number } {
  const kept: number[] = [];
  let scanned = 0;
  while (scanned < count && kept.length < wanted) {
    if (keeps(scanned)) kept.push(scanned);
    scanned += 1;
  }
  return { kept, scanned };
}

/** A short batch with drawn members repeated until its size is a multiple of `workers`. */
export function depoPadded(
  kept: readonly number[],
  multiple: number,
  draw: (below: number) => number,
): number[] {
  const padded = [...kept];
  while (kept.length > 0 && padded.length % multiple !== 0) padded.push(kept[draw(kept.length)]!);
  return padded;
}

/**
 * DEPO: a scorer trained alongside predicts the success of each candidate; those within a window are taken in order
 * until the batch is full, all of them during the warm-up (arXiv 2602.06375; recipe/depo/depo_ray_trainer.py). When the
 * candidates run out the batch stays short. Candidates beyond the last one taken are not looked at.
 */
export const depo = allocationMethod({
  id: 'depo',
  title: 'DEPO',
  summary: 'Takes the next prompts whose predicted success is neither too low nor too high.',
  family: 'skip',
  confidence: 'exact',
  source: {
    paper: 'arXiv 2602.06375',
    equation: 'online difficulty filter',
    code: 'Sniper970119/DEPO:recipe/depo/depo_ray_trainer.py:RayDEPOTrainer._filtered_batch_generator',
    commit: 'efb0f2c9c1',
  },
  parameters: [groupSize, low, high, warmUp, workers],
  keepsTotal: false,
  needs: ['prediction', 'step'],
  uses: [],
  caveats: [
    'The release fails where one loader batch completes two training batches; here each step takes its own.',
  ],
  decide: ({ inputs, parameters, rng }) => {
    const size = numberOf(parameters, groupSize);
    const groups = groupsIn(inputs.budget, size);
    const from = numberOf(parameters, low);
    const to = numberOf(parameters, high);
    if (from > to) throw new Refusal('bad-parameter', `low is ${from}, above high, which is ${to}.`);
    const step = inputs.step!;
    const all = step <= numberOf(parameters, warmUp);
    const { kept, scanned } = depoScan(
      inputs.prompts.length,
      groups,
      (place) => all || depoKeeps(inputs.prompts[place]!.prediction!, from, to),
    );
    const short = kept.length < groups;
    const batch = short ? depoPadded(kept, numberOf(parameters, workers), (below) => rng.below(below)) : kept;
    const times = new Array<number>(scanned).fill(0);
    for (const place of batch) times[place]! += 1;
    return {
      done: true,
      shared: {
        groups,
        groupSize: size,
        kept: kept.length,
        scanned,
        survival: scanned === 0 ? 0 : kept.length / scanned,
      },
      ...(short
        ? {
            remark: `Only ${kept.length} of ${counted(groups, 'prompt')} were found among ${scanned}: the batch ${batch.length > kept.length ? `is filled up to ${batch.length} by repeating some` : 'stays short'}.`,
          }
        : {}),
      requests: times.map((taken, prompt): AllocationRequest => {
        const prediction = inputs.prompts[prompt]!.prediction!;
        const numbers = { prediction, low: from, high: to };
        if (taken === 0) {
          const hard = Math.fround(prediction) < Math.fround(from);
          return {
            prompt,
            action: 'skip',
            count: 0,
            reasonCode: hard ? 'too-hard' : 'too-easy',
            reason: `Predicted success ${figure(prediction)} lies ${hard ? `below ${figure(from)}` : `above ${figure(to)}`}: skipped.`,
            numbers,
          };
        }
        const repeated = taken > 1 ? `, ${counted(taken, 'time')} to fill the batch` : '';
        return {
          prompt,
          action: 'launch',
          count: taken * size,
          reasonCode: all ? 'warm-up' : 'kept',
          reason: all
            ? `Step ${step} belongs to the warm-up, in which every prompt is kept${repeated}.`
            : `Predicted success ${figure(prediction)} lies within ${figure(from)} to ${figure(to)}: kept${repeated}.`,
          numbers,
        };
      }),
    };
  },
});
