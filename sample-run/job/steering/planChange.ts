import type { SteeringAnswer } from '../../../protocol/wire/steering';
import type { ControlState } from '../controlState';
import type { JobState } from '../jobState';
import { planStep, type StepPlan } from '../planner';

/** Subjects named in an answer. */
const NAMED = 4096;

export type PlanEffect = Pick<SteeringAnswer, 'rollouts' | 'tokens' | 'seconds' | 'subjects'> & {
  readonly rollouts: { before: number; after: number };
};

/** A copy of the parts of the control state that planning reads. */
const planningCopy = (control: ControlState): ControlState => ({
  ...control,
  pins: { ...control.pins },
  skips: { ...control.skips },
  promptLatches: { ...control.promptLatches },
  methods: structuredClone(control.methods),
});

/**
 * What the plan of a step would be with and without a change. What the running step is still to find out about its
 * prompts is not in it.
 */
export function planChange(job: JobState, step: number, change: (control: ControlState) => void): PlanEffect {
  const changed = planningCopy(job.control);
  change(changed);
  const before = planStep(job.planView(step));
  const after = planStep(job.planView(step, changed));
  const counts = (plan: StepPlan): Map<string, number> =>
    new Map(plan.prompts.map(({ task, count }) => [task.id, count]));
  const [old, now] = [counts(before), counts(after)];
  const subjects = [...new Set([...old.keys(), ...now.keys()])].flatMap((id) => {
    const row = { before: old.get(id) ?? 0, after: now.get(id) ?? 0 };
    return row.before === row.after ? [] : [{ subject: { type: 'prompt' as const, id }, ...row }];
  });
  const rollouts = { before: before.total, after: after.total };
  return { ...costs(job, rollouts), rollouts, subjects: subjects.slice(0, NAMED) };
}

/** Tokens and seconds of a change in rollouts, estimated from the last steps. */
export function costs(
  job: JobState,
  { before, after }: { before: number; after: number },
): Pick<SteeringAnswer, 'tokens' | 'seconds'> {
  const { estimates } = job;
  return {
    tokens: { before: estimates.tokensOf(before), after: estimates.tokensOf(after) },
    seconds: { before: estimates.secondsOf(before), after: estimates.secondsOf(after) },
  };
}

/** Who gains and who loses, in a few words; empty when nobody does. */
export function gainsAndLosses({ subjects = [] }: PlanEffect, except: ReadonlySet<string>): string {
  const others = subjects.filter(({ subject }) => !except.has(subject.id));
  const lose = others.filter(({ before, after }) => after < before);
  const gain = others.filter(({ before, after }) => after > before);
  const sum = (rows: typeof others): number =>
    rows.reduce((total, { before, after }) => total + Math.abs(after - before), 0);
  const get = (rows: typeof others): string =>
    rows.length === 1 ? '1 other prompt gets' : `${rows.length} other prompts get`;
  const parts = [
    ...(lose.length > 0 ? [`${get(lose)} ${sum(lose)} fewer`] : []),
    ...(gain.length > 0 ? [`${get(gain)} ${sum(gain)} more`] : []),
  ];
  return parts.length > 0 ? ` ${parts.join(', ')}.` : '';
}
