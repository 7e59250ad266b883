import { counted, figure } from '../figures';
import { choiceOf, choiceParameter, numberOf, numberParameter } from '../parameters';
import { allocationMethod } from './allocator';
import type { AllocationRequest } from './allocator';

const upper = numberParameter(
  'upper',
  0.75,
  [0, 1],
  'Prompts that the initial policy solves more often than this are left out for good (t).',
);
const unsolvedShare = numberParameter(
  'unsolvedShare',
  0.1,
  [0, 1],
  'Share of the prompts that the initial policy never solved which is mixed into every phase (alpha).',
  'of the unsolved prompts',
);
const phase = choiceParameter(
  'phase',
  '2',
  ['2', '4', '8'],
  'Phase of the curriculum that the step belongs to, by its group size; training goes from 2 over 4 to 8.',
);

export type SgpoBucket = 'drop' | 'unsolved' | 2 | 4 | 8;

/** Where a prompt belongs by its pass rate under the initial policy; every bound belongs to the harder side. */
export function sgpoBucket(rate: number, bound: number): SgpoBucket {
  if (rate > bound) return 'drop';
  if (rate === 0) return 'unsolved';
  if (rate > 1 / 4) return 2;
  return rate > 1 / 8 ? 4 : 8;
}

/** Whether a prompt that was never solved takes part, by its uniform draw. */
export function sgpoUses(draw: number, share: number): boolean {
  return draw < share;
}

/**
 * sGPO: prompts get the group size that their pass rate under the initial policy calls for, 2, 4 or 8, easy ones
 * first, one size a phase; too easy ones are left out, a random few of the never solved ones are mixed in
 * (arXiv 2606.08854, equations 7, 9, 10 and 13 as a third-party fork of prime-rl cites them). The profile is made of 8
 * rollouts at temperature 1. `inputs.budget` is not read.
 *
 * Reconstructed: the random few are drawn one by one with that probability; the source may draw a subset of fixed
 * size. When a phase ends was not read, so the phase is a parameter.
 */
export const sgpo = allocationMethod({
  id: 'sgpo',
  title: 'sGPO',
  summary: 'Group sizes 2, 4 and 8 by how hard a prompt was for the initial policy, easy ones first.',
  family: 'by-difficulty',
  confidence: 'reconstructed',
  source: { paper: 'arXiv 2606.08854', equation: 'equations 7, 9, 10 and 13', code: '', commit: '' },
  parameters: [upper, unsolvedShare, phase],
  keepsTotal: false,
  caveats: [
    'Read in a third-party fork that cites the equations, not in the paper.',
    'When one phase gives way to the next was not read: a person sets the phase.',
    'Each unsolved prompt is drawn on its own; the source may draw a subset of fixed size.',
  ],
  needs: ['initialRate'],
  uses: [],
  decide: ({ inputs, parameters, rng }) => {
    const bound = numberOf(parameters, upper);
    const share = numberOf(parameters, unsolvedShare);
    const size = Number(choiceOf(parameters, phase));
    return {
      done: true,
      shared: { upper: bound, unsolvedShare: share, phase: size },
      requests: inputs.prompts.map(({ initialRate }, prompt): AllocationRequest => {
        const rate = initialRate!.value;
        const bucket = sgpoBucket(rate, bound);
        const solved = `Solved at a rate of ${figure(rate)} by the initial policy`;
        const skip = { prompt, action: 'skip', count: 0 } as const;
        const launch = { prompt, action: 'launch', count: size } as const;
        const given = counted(size, 'rollout');
        if (bucket === 'drop') {
          return {
            ...skip,
            reasonCode: 'too-easy',
            reason: `${solved}, above ${figure(bound)}: left out for good.`,
            numbers: { initialRate: rate, upper: bound },
          };
        }
        if (bucket === 'unsolved') {
          const draw = rng.float();
          const numbers = { initialRate: rate, draw, unsolvedShare: share };
          return sgpoUses(draw, share)
            ? {
                ...launch,
                reasonCode: 'unsolved-drawn',
                reason: `Never solved by the initial policy; the draw ${figure(draw)} is below ${figure(share)}: ${given}, as the phase has it.`,
                numbers,
              }
            : {
                ...skip,
                reasonCode: 'unsolved-left-out',
                reason: `Never solved by the initial policy; the draw ${figure(draw)} is not below ${figure(share)}.`,
                numbers,
              };
        }
        const numbers = { initialRate: rate, groupSize: bucket, phase: size };
        return bucket === size
          ? {
              ...launch,
              reasonCode: 'in-phase',
              reason: `${solved}, which calls for groups of ${bucket}, the phase of this step: ${given}.`,
              numbers,
            }
          : {
              ...skip,
              reasonCode: bucket < size ? 'phase-past' : 'phase-to-come',
              reason: `${solved}, which calls for groups of ${bucket}; this step belongs to the phase of ${size}.`,
              numbers,
            };
      }),
    };
  },
});
