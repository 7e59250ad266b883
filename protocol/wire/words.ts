/**
 * The closed word lists of the wire. Every list is open towards the future: a reader maps a word it does
 * not know to `other` and goes on, so that old and new ends work together.
 */

export const RUN_STATES = ['starting', 'running', 'paused', 'ended', 'failed'] as const;
export type RunState = (typeof RUN_STATES)[number];

/** Generate-Filter-Control-Replay phases of a step, as a job goes through them. */
export const PHASES = ['plan', 'generate', 'reward', 'filter', 'train', 'evaluate', 'sync', 'idle'] as const;
export type Phase = (typeof PHASES)[number];

export const NODE_KINDS = [
  'tokens',
  'segment',
  'sentence',
  'turn',
  'tool',
  'attempt',
  'denoising',
  'state',
  'call',
] as const;
export type NodeKind = (typeof NODE_KINDS)[number];

export const ORIGINS = [
  'sampled',
  'forked',
  'resumed',
  'replayed',
  'external',
  'hinted',
  'edited',
  'duplicate',
] as const;
export type Origin = (typeof ORIGINS)[number];

/** How a rollout or a node ended. `pruned`: by a rule; `stopped`: by a person. */
export const ENDINGS = [
  'finished',
  'truncated',
  'pruned',
  'stopped',
  'aborted',
  'failed',
  'carriedOver',
] as const;
export type Ending = (typeof ENDINGS)[number];

/** `probe`: asked for by a person, never enters training. */
export const USES = ['train', 'probe'] as const;
export type Use = (typeof USES)[number];

export const SPAN_STATES = ['queued', 'generating', 'tool', 'paused', 'reward'] as const;
export type SpanState = (typeof SPAN_STATES)[number];

export const DECISION_KINDS = [
  'allocate',
  'select',
  'skip',
  'fork',
  'prune',
  'stop',
  'discard',
  'resume',
  'replay',
  'temperature',
  'length',
] as const;
export type DecisionKind = (typeof DECISION_KINDS)[number];

/** When a fork's position was chosen: decides whether tree-aware pass@k may be used. */
export const FORK_POSITIONS = ['online', 'after-completion', 'after-outcome', 'person'] as const;
export type ForkPosition = (typeof FORK_POSITIONS)[number];

/** What a fork's children are draws of. */
export const FORK_CHILDREN = ['same-policy', 'forced-token', 'guided', 'replayed'] as const;
export type ForkChildren = (typeof FORK_CHILDREN)[number];

export const SUBJECT_TYPES = [
  'run',
  'step',
  'prompt',
  'group',
  'rollout',
  'node',
  'domain',
  'worker',
] as const;
export type SubjectType = (typeof SUBJECT_TYPES)[number];

export const STEERING_ACTIONS = [
  'pause',
  'resume',
  'step',
  'allocate',
  'setMethod',
  'skip',
  'undo',
  'fork',
  'stop',
  'break',
] as const;
export type SteeringAction = (typeof STEERING_ACTIONS)[number];

export const STEERING_STATES = ['requested', 'applied', 'refused', 'undone'] as const;
export type SteeringState = (typeof STEERING_STATES)[number];

export const PAUSE_MODES = ['step-boundary', 'drain', 'now'] as const;
export type PauseMode = (typeof PAUSE_MODES)[number];

export const SEVERITIES = ['info', 'warning', 'error'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** Bits of `marks` of a node. */
export const NODE_MARKS = { forced: 1, hinted: 2, edited: 4, duplicate: 8 } as const;

/**
 * Metric names with a fixed meaning; a job may send others. The first six are the overview's figures.
 * Units: tokens/s, s, rollouts, groups, policy versions, share of the step's seconds (0 to 1).
 */
export const STANDARD_METRICS = {
  throughput: { unit: 'tok/s', doc: 'Tokens sampled per second over the step so far.' },
  stepSeconds: { unit: 's', doc: 'Wall-clock seconds of the step, from planning to the last update.' },
  effectiveBatch: { unit: 'rollouts', doc: 'Rollouts that entered an update with a gradient.' },
  zeroGradientGroups: { unit: 'groups', doc: 'Closed groups of the step without a gradient.' },
  staleness: { unit: 'versions', doc: 'Mean policy versions between sampling and training, over tokens.' },
  slowestTenth: {
    unit: 'share',
    doc: 'Share of the generation time spent while only the slowest tenth ran.',
  },
  entropy: { unit: 'nats', doc: 'Mean token entropy of the policy over the step.' },
  gradientNorm: { unit: '', doc: 'Norm of the gradient before clipping, mean over the updates of the step.' },
  loss: { unit: '', doc: 'Mean loss over the updates of the step.' },
  clipFraction: { unit: 'share', doc: 'Share of trained tokens whose ratio was clipped.' },
  logProbGap: {
    unit: 'nats',
    doc: 'Mean absolute difference of the sampler’s and the trainer’s log-probability of a token.',
  },
  tokensStored: {
    unit: 'tokens',
    doc: 'Tokens kept for the step, shared prefixes counted for each rollout.',
  },
  tokensUnique: { unit: 'tokens', doc: 'Tokens kept for the step, shared prefixes counted once.' },
  speculativeAcceptance: { unit: 'share', doc: 'Share of drafted tokens that were accepted.' },
} as const;
export type StandardMetric = keyof typeof STANDARD_METRICS;
