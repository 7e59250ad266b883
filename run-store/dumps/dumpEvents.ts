import type { Batch } from '../../protocol/wire/batch';
import { BatchBuilder } from '../../protocol/wire/batchBuilder';
import type { MeasuredSet, Measurements } from './measurements';
import { countSet, type JudgedSet, type SuccessRule } from './success';

/** Events of one batch, about. */
const BATCH = 20_000;

/**
 * What was read as events of the protocol, in batches of a run that has ended: an `evaluation` a measured set, and of
 * training groups the step with its groups and rollouts. Files have no clock and seldom lengths: times and token
 * counts are 0, seconds unknown.
 */
export function* dumpBatches(measurements: Measurements, judged: readonly JudgedSet[]): Generator<Batch> {
  const builder = new BatchBuilder();
  const held = new Set(
    judged.filter(({ set }) => set.use === 'evaluation').flatMap(({ set }) => promptsOf(set)),
  );
  for (const [index, { id, excerpt, difficulty, domain }] of measurements.prompts.entries()) {
    const split = held.has(index) ? 'heldOut' : 'train';
    builder.add('promptDeclared', 0, { prompt: id, excerpt, difficulty, domain, split });
    if (builder.size >= BATCH) yield* taken(builder);
  }
  const inOrder = [...judged].sort((a, b) => a.set.step - b.set.step);
  for (const { set, rule } of inOrder) {
    if (set.use === 'evaluation') addEvaluation(builder, measurements, set, rule);
    else yield* addStep(builder, measurements, set, rule);
    yield* taken(builder);
  }
  builder.add('runState', 0, { state: 'ended' });
  yield* taken(builder);
}

function* taken(builder: BatchBuilder): Generator<Batch> {
  const batch = builder.take(0);
  if (batch) yield batch;
}

const promptsOf = (set: MeasuredSet): number[] => [...set.prompts, ...set.counts.keys()];

function addEvaluation(
  builder: BatchBuilder,
  { prompts }: Measurements,
  set: MeasuredSet,
  rule: SuccessRule | null,
): void {
  const counted = [...countSet(set, rule).counts].filter(([, { n }]) => n > 0);
  builder.add('evaluation', 0, {
    evaluation: `${set.name} ${set.step}`.slice(0, 256),
    name: set.name,
    step: set.step,
    policyVersion: set.step,
    sampling: {},
    problems: {
      prompts: counted.map(([prompt]) => prompts[prompt]!.id),
      n: counted.map(([, { n }]) => n),
      c: counted.map(([, { c }]) => c),
    },
  });
}

/** A step with a group a prompt and a rollout a sample. */
function* addStep(
  builder: BatchBuilder,
  { prompts }: Measurements,
  set: MeasuredSet,
  rule: SuccessRule | null,
): Generator<Batch> {
  const { step } = set;
  const groups = new Map<number, number[]>();
  set.prompts.forEach((prompt, sample) => {
    const members = groups.get(prompt);
    if (members) members.push(sample);
    else groups.set(prompt, [sample]);
  });
  builder.add('stepOpened', 0, { step, policyVersion: step, planned: set.prompts.length });
  for (const [prompt, samples] of groups) {
    const { id } = prompts[prompt]!;
    const group = `${step}/${id}`;
    const planned = samples.length;
    builder.add('groupOpened', 0, { group, prompt: id, step, planned });
    samples.forEach((sample, i) => {
      addRollout(builder, set, rule, sample, { rollout: `${group}/${i}`, group });
    });
    builder.add('groupClosed', 0, {
      group,
      launched: planned,
      finished: planned,
      discarded: 0,
      killed: 0,
      carriedOver: 0,
      usedInStep: step,
    });
    if (builder.size >= BATCH) yield* taken(builder);
  }
  builder.add('stepClosed', 0, { step, policyVersion: step + 1, seconds: Number.NaN, tokens: 0 });
}

function addRollout(
  builder: BatchBuilder,
  set: MeasuredSet,
  rule: SuccessRule | null,
  sample: number,
  names: { readonly rollout: string; readonly group: string },
): void {
  builder.add('rolloutOpened', 0, { ...names, origin: 'sampled', use: 'train' });
  const told = rule === null ? Number.NaN : set.score(rule.score, sample);
  const rewardName = set.reward !== null && set.scores.has(set.reward) ? set.reward : rule?.score;
  const reward = rewardName === undefined ? Number.NaN : set.score(rewardName, sample);
  const parts = [...set.scores.keys()].flatMap((name): [string, number][] => {
    const score = set.score(name, sample);
    return Number.isNaN(score) ? [] : [[name.slice(0, 64), score]];
  });
  builder.add('rolloutClosed', 0, {
    rollout: names.rollout,
    ending: 'finished',
    length: 0,
    success: Number.isNaN(told) || rule === null ? null : told >= rule.threshold,
    reward: Number.isNaN(reward) ? null : reward,
    ...(parts.length > 1 ? { rewardParts: Object.fromEntries(parts) } : {}),
  });
}
