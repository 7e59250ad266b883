import { NO_SELECTION, type Selection } from '../protocol/panels/selection';
import { Emitter, type Disposable } from './lifecycle';

/** From the widest to the narrowest: what is wider, once changed, leaves the narrower behind. */
const NARROWER: Readonly<Record<keyof Selection, readonly (keyof Selection)[]>> = {
  run: ['incarnation', 'step', 'prompt', 'group', 'rollout', 'node'],
  incarnation: ['step', 'group', 'rollout', 'node'],
  step: ['group', 'rollout', 'node'],
  prompt: ['group', 'rollout', 'node'],
  group: ['rollout', 'node'],
  rollout: ['node'],
  node: [],
};
const FIELDS = Object.keys(NARROWER) as (keyof Selection)[];

/**
 * The selection after a part of it was chosen. A field that changed clears the narrower ones, unless they were
 * chosen along with it: the prompt stays when the step changes, its group does not.
 */
export function narrowed(before: Selection, part: Partial<Selection>): Selection {
  let after = before;
  for (const field of FIELDS) {
    const next = part[field];
    if (next === undefined || next === before[field]) continue;
    const left = NARROWER[field].filter((narrow) => part[narrow] === undefined);
    after = { ...after, [field]: next, ...Object.fromEntries(left.map((narrow) => [narrow, null])) };
  }
  return after;
}

export const sameSelection = (a: Selection, b: Selection): boolean =>
  FIELDS.every((field) => a[field] === b[field]);

/** The one selection of the window. */
export class SelectionStore implements Disposable {
  private present: Selection = NO_SELECTION;
  private readonly changes = new Emitter<Selection>();
  readonly onDidChange = this.changes.event;

  get value(): Selection {
    return this.present;
  }

  select(part: Partial<Selection>): void {
    const next = narrowed(this.present, part);
    if (sameSelection(next, this.present)) return;
    this.present = next;
    this.changes.fire(next);
  }

  dispose(): void {
    this.changes.dispose();
  }
}
