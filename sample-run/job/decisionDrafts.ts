import type { AllocationAnswer, AllocationState } from '../../methods/allocation/allocator';
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

/**
 * One row a request: what the rule saw of the prompt, what it said, what it gave. `inputs` and `shared` hold all that the
 * rule was called with, so that its answer can be worked out again; `history` lists the earlier groups, oldest first,
 * as step:successes/rollouts.
 */
export function answerDraft(
  title: string,
  answer: AllocationAnswer,
  tasks: readonly Task[],
  counts: readonly number[],
  draws: { readonly seed: number; readonly stream: string },
): DecisionDraft {
  const { requests, state } = answer;
  const rows = requests.map(({ prompt }) => prompt);
  const names = [...new Set(requests.flatMap(({ numbers }) => Object.keys(numbers)))];
  const given = requests.map(({ prompt, action }) => (action === 'launch' ? counts[prompt]! : 0));
  const some = given.filter((count) => count > 0);
  const total = some.reduce((sum, count) => sum + count, 0);
  const range = total === 0 ? '' : `, ${Math.min(...some)} to ${Math.max(...some)} each`;
  const remark = answer.remark === undefined ? '' : ` ${answer.remark}`;
  return {
    kind: 'allocate',
    method: state.method,
    command: null,
    sentence: `${title} gives ${plural(total, 'rollout')} to ${plural(some.length, 'prompt')}${range}.${remark}`,
    body: {
      parameters: state.parameters,
      shared: { ...stepInputs(state), ...draws, ...answer.shared },
      subjects: { type: 'prompt', ids: rows.map((row) => tasks[row]!.id) },
      inputs: promptInputs(state, rows),
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

/** What a rule takes out of training without launching anything. */
export const onlyDrops = (draft: DecisionDraft, title: string, drops: number): DecisionDraft => ({
  ...draft,
  kind: 'discard',
  sentence: `${title} takes rollouts of ${plural(drops, 'group')} out of training.`,
});

/** Most characters of a cell. */
const CELL = 4096;

function stepInputs({ inputs, round }: AllocationState): Record<string, number | string> {
  const { budget, failureRate, epoch, step, totalSteps, memory } = inputs;
  const carried = memory === undefined ? '' : JSON.stringify(memory);
  return {
    budget,
    ...(failureRate === undefined ? {} : { failureRate }),
    ...(epoch === undefined ? {} : { epoch }),
    ...(step === undefined ? {} : { step }),
    ...(totalSteps === undefined ? {} : { totalSteps }),
    ...(carried === '' || carried.length > CELL ? {} : { memory: carried }),
    answer: round,
  };
}

function promptInputs({ inputs, finished }: AllocationState, rows: readonly number[]) {
  const prompts = rows.map((row) => inputs.prompts[row]!);
  const ended = rows.map((row) => finished[row]!.rewards);
  return {
    passRate: prompts.map(({ passRate }) => passRate?.value ?? null),
    samples: prompts.map(({ passRate }) => passRate?.samples ?? null),
    groups: prompts.map(({ history }) => history?.length ?? 0),
    history: prompts.map(({ history = [] }) =>
      history.map(({ step, successes, rollouts }) => `${step}:${successes}/${rollouts}`).join(' '),
    ),
    prediction: prompts.map(({ prediction }) => prediction ?? null),
    ...(ended.some(({ length }) => length > 0)
      ? {
          ended: ended.map(({ length }) => length),
          succeeded: ended.map((rewards) => rewards.filter((reward) => reward === 1).length),
        }
      : {}),
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
