import type { SteeringRecord } from '../records';
import type { RunStore } from '../runStore';

/** Commands of all incarnations in the order in which they were asked for. */
export function steeringOf(
  store: RunStore,
): { readonly record: SteeringRecord; readonly incarnation: number; readonly at: number }[] {
  return store.incarnations
    .flatMap((incarnation) =>
      [...incarnation.steering.values()].map((record) => ({
        record,
        incarnation: incarnation.start.number,
        at: incarnation.unix(record.t),
      })),
    )
    .sort((a, b) => a.at - b.at);
}

/** Commands that were taken back: by an applied undo, or by their own state. */
export function undoneCommands(store: RunStore): ReadonlySet<string> {
  const undone = new Set<string>();
  for (const { steering } of store.incarnations) {
    for (const record of steering.values()) {
      if (record.state === 'undone') undone.add(record.command);
      if (record.undoes !== null && record.state === 'applied') undone.add(record.undoes);
    }
  }
  return undone;
}

/**
 * What people have set for single prompts and what still holds at a step: prompt → budget as text, or `skip`.
 * Later commands replace earlier ones; undone, refused, ended and not yet begun ones do not count.
 */
export function pinsAt(store: RunStore, step: number): ReadonlyMap<string, string> {
  const undone = undoneCommands(store);
  const pins = new Map<string, string>();
  for (const { record } of steeringOf(store)) {
    if (record.state !== 'applied' || undone.has(record.command)) continue;
    if (record.action !== 'allocate' && record.action !== 'skip') continue;
    if (record.fromStep !== null && record.fromStep > step) continue;
    const over = record.untilStep !== null && record.untilStep < step;
    for (const { type, id } of record.subjects) {
      if (type !== 'prompt' || over) continue;
      if (record.action === 'skip') {
        pins.set(id, 'skip');
        continue;
      }
      const budget = budgetAfter(record.after, id);
      if (budget === null) pins.delete(id);
      else pins.set(id, budget);
    }
  }
  return pins;
}

/**
 * The budget that `after` states: for this prompt, or for all subjects; null: none is set any more. A job writes a
 * number, null, or words: those with a number in them are a budget (`set 32`, `+8`), others say that there is none.
 */
function budgetAfter(after: SteeringRecord['after'], prompt: string): string | null {
  if (!after) return null;
  const given = prompt in after ? after[prompt] : (after['rollouts'] ?? after['set'] ?? after['planned']);
  if (typeof given === 'number') return String(given);
  if (typeof given === 'string') return /\d/u.test(given) ? given.replace(/^set\s+/u, '') : null;
  if (typeof given !== 'object' || given === null) return null;
  const set: unknown = Reflect.get(given, 'set') ?? Reflect.get(given, 'rollouts');
  return typeof set === 'number' ? String(set) : null;
}
