import { Type, type Static } from '@sinclair/typebox';
import { shuffled } from '../../methods/distributions';
import { Rng } from '../../methods/random';
import { Count } from '../../protocol/wire/values';
import { TRAIN_TASKS, type Task } from '../tasks/taskSet';

/** Place in the data set: pass over it, and prompts of that pass that had their turn. */
export const DrawPlace = Type.Object({ pass: Count, position: Count });
export type DrawPlace = Static<typeof DrawPlace>;

/** The order of a pass: a function of seed and pass alone, so that nothing but the place has to be saved. */
const orderOf = (seed: number, pass: number): Task[] =>
  shuffled(Rng.from(seed).fork(`pass/${pass}`), TRAIN_TASKS);

/**
 * The prompts of a step: `first` as given, then the next of the pass that are neither among them nor left out, up to
 * `count` in all. A prompt that is passed over loses its turn in this pass. Fewer when too many are left out.
 * `places`: the place after each prompt of the pass, for rules that do not look at all of them.
 */
export function drawPrompts(
  seed: number,
  place: DrawPlace,
  count: number,
  first: readonly Task[],
  leftOut: (task: Task) => boolean,
): {
  readonly tasks: readonly Task[];
  readonly places: ReadonlyMap<Task, DrawPlace>;
  readonly next: DrawPlace;
} {
  const tasks = [...first];
  const places = new Map<Task, DrawPlace>();
  let { pass, position } = place;
  let order = orderOf(seed, pass);
  for (let seen = 0; tasks.length < count && seen < TRAIN_TASKS.length; seen++) {
    if (position >= order.length) {
      pass++;
      position = 0;
      order = orderOf(seed, pass);
    }
    const task = order[position++]!;
    if (leftOut(task) || tasks.includes(task)) continue;
    tasks.push(task);
    places.set(task, { pass, position });
  }
  return { tasks, places, next: { pass, position } };
}
