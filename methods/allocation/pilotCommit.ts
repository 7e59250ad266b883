import { counted, figure } from '../figures';
import { numberOf, numberParameter, rolloutsParameter } from '../parameters';
import { allocationMethod } from './allocator';
import type { AllocationRequest, RoundView } from './allocator';
import type { Memory } from './inputs';

const pilotRollouts = rolloutsParameter(
  'pilot',
  16,
  1,
  'Rollouts of every candidate before it is judged (n_pilot).',
);
const commitRollouts = rolloutsParameter(
  'commit',
  48,
  1,
  'Further rollouts of a prompt that passes (n_commit).',
);
const upper = numberParameter(
  'upper',
  0.75,
  [0, 1],
  'A prompt whose pilot rollouts succeed more often than this is too easy for now.',
);
const lower = numberParameter(
  'lower',
  0.125,
  [0, 1],
  'A prompt whose pilot rollouts succeed more rarely than this is too hard for now.',
);

export type PilotVerdict = 'evict' | 'skip' | 'defer' | 'commit';

/** What a pilot of n rollouts decides. All correct comes first; both bounds themselves are committed to. */
export function pilotVerdict(
  successes: number,
  rollouts: number,
  bounds: { readonly upper: number; readonly lower: number },
): PilotVerdict {
  if (successes === rollouts) return 'evict';
  const rate = successes / rollouts;
  if (rate > bounds.upper) return 'skip';
  return rate < bounds.lower ? 'defer' : 'commit';
}

/** Name under which the memory keeps that a prompt never comes back. */
const evicted = (id: string): string => `evicted ${id}`;

/**
 * Pilot-Commit: a few pilot rollouts of every candidate; those of medium success get the rest of a large group, the
 * others drop out, and a prompt whose pilots all succeed never comes back (arXiv 2605.26606, from two third-party
 * transcriptions that agree). `inputs.prompts` are the candidates, published as three times the training batch;
 * `inputs.budget` is not read.
 *
 * Reconstructed: what becomes of prompts beyond the training batch was not read; every prompt that passes is committed
 * to here. The replay buffer between pilot and commit is left out: both belong to one step.
 */
export const pilotCommit = allocationMethod({
  id: 'pilot-commit',
  title: 'Pilot-Commit',
  summary: 'Judges every prompt by a few pilot rollouts and gives the many only to those of medium success.',
  family: 'second-stage',
  confidence: 'reconstructed',
  source: { paper: 'arXiv 2605.26606', equation: 'pilot and commit stages', code: '', commit: '' },
  parameters: [pilotRollouts, commitRollouts, upper, lower],
  keepsTotal: false,
  caveats: [
    'Read in two third-party transcriptions, not in the paper.',
    'Every prompt that passes is committed to in the same step; what the paper does beyond its batch was not read.',
  ],
  needs: ['successes'],
  uses: [],
  decide: (view) => (view.round === 0 ? pilots(view) : verdicts(view)),
});

function pilots({ inputs, parameters, memory }: RoundView) {
  const count = numberOf(parameters, pilotRollouts);
  const requests = inputs.prompts.map(({ id }, prompt): AllocationRequest => {
    const numbers = { pilot: count };
    return memory[evicted(id)] === true
      ? {
          prompt,
          action: 'skip',
          count: 0,
          reasonCode: 'evicted',
          reason: 'All pilot rollouts of an earlier step succeeded: it does not come back.',
          numbers,
        }
      : {
          prompt,
          action: 'launch',
          count,
          reasonCode: 'pilot',
          reason: `Pilot: ${counted(count, 'rollout')} of every candidate.`,
          numbers,
        };
  });
  const done = requests.every(({ action }) => action === 'skip');
  return { done, requests, shared: { pilot: count }, ...(done ? { carry: memory } : {}) };
}

function verdicts({ inputs, parameters, finished, memory }: RoundView) {
  const bounds = { upper: numberOf(parameters, upper), lower: numberOf(parameters, lower) };
  const commit = numberOf(parameters, commitRollouts);
  const carry: Record<string, Memory[string]> = { ...memory };
  let committed = 0;
  const requests = finished.flatMap(({ successes }, prompt): AllocationRequest[] => {
    const { id } = inputs.prompts[prompt]!;
    if (memory[evicted(id)] === true) return [];
    const n = successes.length;
    if (n === 0) {
      return [
        {
          prompt,
          action: 'launch',
          count: 0,
          reasonCode: 'nothing-finished',
          reason: 'None of its pilot rollouts finished, so there is nothing to judge by: none added.',
          numbers: {},
        },
      ];
    }
    const right = successes.filter(Boolean).length;
    const verdict = pilotVerdict(right, n, bounds);
    const numbers = { pilot: n, successes: right, rate: right / n, ...bounds };
    const rate = `${right} of ${counted(n, 'pilot rollout')} succeeded (${figure(right / n)})`;
    if (verdict === 'commit') {
      committed += 1;
      return [
        {
          prompt,
          action: 'launch',
          count: commit,
          reasonCode: verdict,
          reason: `${rate}, between ${figure(bounds.lower)} and ${figure(bounds.upper)}: ${counted(commit, 'more rollout')}.`,
          numbers,
        },
      ];
    }
    if (verdict === 'evict') carry[evicted(id)] = true;
    const why = {
      evict: 'none failed: it is evicted for good',
      skip: `above ${figure(bounds.upper)}: too easy for now`,
      defer: `below ${figure(bounds.lower)}: too hard for now`,
    }[verdict];
    return [
      {
        prompt,
        action: 'drop',
        count: n,
        reasonCode: verdict,
        reason: `${rate}, ${why}; its pilots are not trained on.`,
        numbers,
      },
    ];
  });
  return { done: true, requests, shared: { ...bounds, commit, committed }, carry };
}
