import type { BudgetsSubject, StepRange } from '../../protocol/panels/budgets';
import type { Incarnation } from '../incarnation';
import type { RunStore } from '../runStore';
import type { Step } from '../step';
import { NONE } from '../tables/chunks';
import type { GroupPlace, StepPlace } from './ledgerView';

/** The steps that figures are sums of, oldest first; a step that ran in several lives stands once for each. */
export interface FoundSubject extends BudgetsSubject {
  readonly places: readonly StepPlace[];
  /** What no step is known of belongs to it. */
  readonly withUnplaced: boolean;
  /** The shown step. */
  readonly shown: StepPlace;
}

/**
 * The shown step alone, or a range of steps. Ends in the wrong order are taken the other way round. null: the run has
 * no such step.
 */
export function findSubject(
  store: RunStore,
  { step: number, range }: { readonly step: number | null; readonly range: StepRange | null },
): FoundSubject | null {
  const shown = store.findStep(number);
  if (!shown) return null;
  if (range === null) {
    const { number: only } = shown.step;
    return { kind: 'step', first: only, last: only, steps: 1, places: [shown], withUnplaced: false, shown };
  }
  const least = range.from ?? 0;
  const most = range.to ?? Infinity;
  const [from, to] = least <= most ? [least, most] : [most, least];
  const places = store.incarnations
    .flatMap((incarnation) => incarnation.steps.map((step): StepPlace => ({ incarnation, step })))
    .filter(({ step }) => step.number >= from && step.number <= to)
    .sort((a, b) => a.step.number - b.step.number);
  const numbers = new Set(places.map(({ step }) => step.number));
  const whole = range.from === null && range.to === null;
  return {
    kind: whole ? 'run' : 'range',
    first: places[0]?.step.number ?? from,
    last: places.at(-1)?.step.number ?? (Number.isFinite(to) ? to : from),
    steps: numbers.size,
    places,
    withUnplaced: whole,
    shown,
  };
}

/** Every group of a step, in the order in which they were opened. */
export function* groupsOfStep(incarnation: Incarnation, step: Step): Generator<number> {
  const { groups } = incarnation;
  for (let group = step.firstGroup; group !== NONE; group = groups.nextInStep[group]!) yield group;
}

/** Calls `visit` with every group of the subject and the number of its step (−1: not known), oldest step first. */
export function eachGroup(
  store: RunStore,
  subject: FoundSubject,
  visit: (place: GroupPlace, step: number) => void,
): void {
  for (const incarnation of subject.withUnplaced ? store.incarnations : []) {
    const { groups } = incarnation;
    if (incarnation.unplaced.groups === 0) continue;
    for (let group = 0; group < groups.count; group++)
      if (groups.step[group] === NONE) visit({ incarnation, group }, NONE);
  }
  for (const { incarnation, step } of subject.places)
    for (const group of groupsOfStep(incarnation, step)) visit({ incarnation, group }, step.number);
}
