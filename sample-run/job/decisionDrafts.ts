import type { AllocationAnswer } from '../../methods/allocation/allocator';
import type { PromptInput } from '../../methods/allocation/inputs';
import type { Decision } from '../../protocol/wire/values';
import type { DecisionKind } from '../../protocol/wire/words';
import type { Task } from '../tasks/taskSet';
import type { Pin } from './controlState';

/** A decision before it has an id and a place in the stream. */
export interface DecisionDraft {
  readonly kind: DecisionKind;
  readonly method: string;
  readonly command: string | null;
  readonly sentence: string;
  readonly body: Decision;
}

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** One row a prompt: what the rule saw, what it said, what it gave. */
export function answerDraft(
  method: string,
  title: string,
  answer: AllocationAnswer,
  tasks: readonly Task[],
  inputs: readonly PromptInput[],
  counts: readonly number[],
  parameters: Decision['parameters'],
): DecisionDraft {
  const requests = answer.requests.filter(({ action }) => action !== 'fork');
  const rows = requests.map(({ prompt }) => prompt);
  const names = [...new Set(requests.flatMap(({ numbers }) => Object.keys(numbers)))];
  const total = rows.reduce((sum, row) => sum + counts[row]!, 0);
  const given = rows.map((row) => counts[row]!);
  const range = total === 0 ? '' : `, ${Math.min(...given)} to ${Math.max(...given)} each`;
  return {
    kind: 'allocate',
    method,
    command: null,
    sentence: `${title} gives ${plural(total, 'rollout')} to ${plural(rows.length, 'prompt')}${range}.`,
    body: {
      parameters,
      shared: { ...answer.shared },
      subjects: { type: 'prompt', ids: rows.map((row) => tasks[row]!.id) },
      inputs: {
        passRate: rows.map((row) => inputs[row]!.passRate?.value ?? null),
        samples: rows.map((row) => inputs[row]!.passRate?.samples ?? null),
        groups: rows.map((row) => inputs[row]!.history?.length ?? 0),
      },
      outcome: { rollouts: given, action: requests.map(({ action }) => action) },
      reasonCodes: requests.map(({ reasonCode }) => reasonCode),
      reasons: requests.map(({ reason, count, action }, i) =>
        action === 'launch' && given[i] !== count
          ? `${reason} Cut to ${given[i]!}: the step keeps its total.`
          : reason,
      ),
      numbers: Object.fromEntries(
        names.map((name) => [name, requests.map(({ numbers }) => numbers[name] ?? null)]),
      ),
    },
  };
}

/** The rule stays the step’s method: what it refused is said, and `fallback` marks that its numbers are not the outcome. */
export function fallbackDraft(
  method: string,
  title: string,
  why: string,
  tasks: readonly Task[],
  counts: readonly number[],
  budget: number,
): DecisionDraft {
  return {
    kind: 'allocate',
    method,
    command: null,
    sentence: `${title} gave no answer (${why}), so ${plural(budget, 'rollout')} are shared evenly in this step.`,
    body: {
      parameters: {},
      shared: { budget, fallback: true },
      subjects: { type: 'prompt', ids: tasks.map(({ id }) => id) },
      outcome: { rollouts: [...counts] },
      reasonCodes: tasks.map(() => 'shared-evenly'),
      reasons: tasks.map((_, i) => `An even share: ${plural(counts[i]!, 'rollout')}.`),
    },
  };
}

export function pinDraft(task: Task, pin: Pin, byMethod: number, count: number): DecisionDraft {
  const until = pin.untilStep === null ? 'until it is cleared' : `until step ${pin.untilStep}`;
  const how =
    pin.set === undefined
      ? `${pin.author} adds ${pin.add ?? 0} to the ${byMethod} of the method`
      : `set by ${pin.author}`;
  const reason = `${plural(count, 'rollout')}: ${how}, ${until}.`;
  return {
    kind: 'allocate',
    method: 'person',
    command: pin.command,
    sentence: `${task.id} gets ${reason}`,
    body: {
      parameters: { charge: pin.charge },
      subjects: { type: 'prompt', ids: [task.id] },
      ...(pin.set === undefined ? { inputs: { byMethod: [byMethod] } } : {}),
      outcome: { rollouts: [count] },
      reasonCodes: ['pinned'],
      reasons: [reason],
    },
  };
}
