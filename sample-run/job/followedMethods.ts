import type { AllocationMethod } from '../../methods/allocation/allocator';
import { allocationMethods } from '../../methods/allocation/methods';
import type { Parameters } from '../../methods/parameters';

/** Sizes of this run that rules are scaled to. */
export interface RunSizes {
  /** Rollouts a prompt on average. */
  readonly groupSize: number;
  readonly promptsPerStep: number;
}

interface Followed {
  /**
   * Parameters that stand for the run’s own sizes, in the published proportions to them. A person’s values come before
   * these, and these before the published defaults.
   */
  readonly sizes?: (run: RunSizes) => Parameters;
  /** Candidates to choose from, as a multiple of the prompts of a step; absent: the prompts of the step. */
  readonly candidates?: number;
}

const ofGroup = ({ groupSize }: RunSizes): Parameters => ({ groupSize });
/** All prompts that are not left out. */
const ALL = Infinity;

/**
 * Allocation rules that this job carries out: all that they ask for it can do, all that they need it records. BroRL’s
 * hundreds of rollouts of every prompt are too many for one core.
 */
const FOLLOWED: Readonly<Record<string, Followed>> = {
  uniform: { sizes: ofGroup },
  'knapsack-rl': { sizes: ({ groupSize }) => ({ unseen: groupSize }) },
  'knapsack-rl-published': {},
  'coba-rl': {},
  'coba-rl-released': {},
  'v-zero': {},
  trace: {},
  dars: { sizes: ({ groupSize }) => ({ firstStage: groupSize }) },
  vigor: {},
  xrpo: {},
  'pilot-commit': {
    sizes: ({ groupSize }) => {
      const pilot = Math.max(4, Math.round(groupSize / 4));
      return { pilot, commit: 3 * pilot };
    },
    candidates: 3,
  },
  aero: {},
  far: { sizes: ofGroup },
  e3: {
    sizes: ({ groupSize }) => ({
      start: groupSize,
      least: Math.max(1, Math.floor(groupSize / 2)),
      most: Math.ceil(1.5 * groupSize),
      update: Math.round(groupSize / 4),
    }),
  },
  'dart-gui': { sizes: ({ groupSize }) => ({ full: groupSize }) },
  dapo: { sizes: ofGroup, candidates: ALL },
  greso: {
    sizes: ({ groupSize, promptsPerStep }) => ({
      groupSize,
      batch: Math.ceil(1.5 * promptsPerStep),
      minimumBatch: Math.ceil(promptsPerStep / 4),
    }),
    candidates: ALL,
  },
  dps: { sizes: ofGroup, candidates: ALL },
  depo: { sizes: ofGroup, candidates: ALL },
  mopps: { sizes: ofGroup, candidates: ALL },
  vade: { sizes: ofGroup, candidates: ALL },
};

const followed = (id: string): Followed | undefined =>
  Object.hasOwn(FOLLOWED, id) ? FOLLOWED[id] : undefined;

export const followedAllocations: readonly AllocationMethod[] = allocationMethods.filter(
  ({ id }) => followed(id) !== undefined,
);

/** Parameters of a rule that follow the sizes of the run. */
export const parametersOfRun = (id: string, run: RunSizes): Parameters => followed(id)?.sizes?.(run) ?? {};

/** Prompts that a rule is shown in a step. */
export const candidatesOf = (id: string, { promptsPerStep }: RunSizes): number =>
  (followed(id)?.candidates ?? 1) * promptsPerStep;
