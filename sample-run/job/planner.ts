import type { AllocationAnswer, AllocationState } from '../../methods/allocation/allocator';
import type { Memory, PromptInput } from '../../methods/allocation/inputs';
import { Rng } from '../../methods/random';
import { Refusal } from '../../methods/refusal';
import { TRAIN_TASKS, type Task } from '../tasks/taskSet';
import { isSkipped, pinFor, runPin, type ControlState, type Pin } from './controlState';
import { answerDraft, fallbackDraft, pinDraft, type DecisionDraft } from './decisionDrafts';
import { drawPrompts, type DrawPlace } from './drawPrompts';
import { candidatesOf, type RunSizes } from './followedMethods';
import { allocationOf } from './methodTable';
import type { PromptStatistics } from './promptStatistics';
import type { JobSettings } from './settings';

export interface PlannedPrompt {
  readonly task: Task;
  readonly count: number;
  /** Index into the plan’s drafts. */
  readonly draft: number;
  readonly pin: Pin | null;
}

/** What a step will do, from what is known before it. The same inputs give the same plan. */
export interface StepPlan {
  readonly step: number;
  readonly prompts: readonly PlannedPrompt[];
  readonly drafts: readonly DecisionDraft[];
  readonly total: number;
  /** Where the next step begins, unless the rule looks at further prompts. */
  readonly next: DrawPlace;
  /** Place after each prompt that was drawn. */
  readonly places: ReadonlyMap<Task, DrawPlace>;
  readonly sizes: RunSizes;
  /** Methods of the step; a change by a person holds from the next one on. */
  readonly methods: ControlState['methods'];
  /** Rule that may ask for more once rollouts have ended; its prompts by their place in `tasks`. */
  readonly allocation: { readonly state: AllocationState; readonly tasks: readonly Task[] } | null;
  /** Most rollouts of the step, where a person’s budget is charged to the total. */
  readonly cap: number | null;
  /** What the rule hands to the next step, when it has decided already. */
  readonly carry: Memory | null;
}

export interface PlanView {
  readonly settings: JobSettings;
  readonly control: ControlState;
  readonly statistics: PromptStatistics;
  readonly step: number;
  readonly place: DrawPlace;
  /** What an allocation rule carried over from its last step. */
  readonly carried: CarriedMemory;
}

export interface CarriedMemory {
  readonly method: string;
  readonly memory: Memory;
}

export function planStep(view: PlanView): StepPlan {
  const { settings, control, step, place } = view;
  const forAll = runPin(control, step);
  const groupSize = Math.max(1, (forAll?.set ?? settings.groupSize) + (forAll?.add ?? 0));
  const leftOut = (task: Task): boolean =>
    isSkipped(control, task.id, step) || Object.hasOwn(control.promptLatches, task.id);
  const first = TRAIN_TASKS.filter(
    (task) => !leftOut(task) && asksForRollouts(pinFor(control, task.id, step)),
  );
  const sizes = { groupSize, promptsPerStep: settings.promptsPerStep };
  const shown = candidatesOf(control.methods.allocation.method, sizes);
  const drawn = drawPrompts(settings.seed, place, shown, first, leftOut);
  const { tasks, places } = drawn;

  const pins = tasks.map((task) => pinFor(control, task.id, step));
  const isSet = pins.map((pin) => pin?.set !== undefined);
  const budget = Math.max(settings.promptsPerStep, first.length) * groupSize;
  const charged = pins.reduce((sum, pin) => {
    if (pin?.set !== undefined) return sum + (pin.charge === 'total' ? pin.set : groupSize);
    return sum + (pin?.charge === 'total' ? Math.max(0, pin.add ?? 0) : 0);
  }, 0);
  const keepsTotal = pins.some((pin) => asksForRollouts(pin) && pin?.charge === 'total');
  const free = tasks.filter((_, i) => !isSet[i]);
  const given = allocate(view, free, Math.max(0, budget - charged), sizes, keepsTotal);

  const drafts = [...given.drafts];
  const prompts = tasks.flatMap((task, i): PlannedPrompt[] => {
    const pin = pins[i] ?? null;
    const byMethod = given.counts.get(task) ?? 0;
    if (!pin || !asksForRollouts(pin)) {
      return byMethod > 0 ? [{ task, count: byMethod, draft: 0, pin }] : [];
    }
    const count = Math.max(0, pin.set ?? byMethod + (pin.add ?? 0));
    drafts.push(pinDraft(task, pin, byMethod, count));
    return count > 0 ? [{ task, count, draft: drafts.length - 1, pin }] : [];
  });
  const total = prompts.reduce((sum, { count }) => sum + count, 0);
  return {
    step,
    prompts,
    drafts,
    total,
    next: given.last === undefined ? drawn.next : (places.get(given.last) ?? place),
    places,
    sizes,
    methods: structuredClone(control.methods),
    allocation: given.state && { state: given.state, tasks: free },
    carry: given.carry,
    cap: keepsTotal ? Math.max(total, budget) : null,
  };
}

const asksForRollouts = (pin: Pin | null): boolean => pin?.set !== undefined || pin?.add !== undefined;

interface Allocated {
  readonly counts: ReadonlyMap<Task, number>;
  /** The last prompt that the rule said something of. */
  readonly last: Task | undefined;
  readonly drafts: readonly DecisionDraft[];
  readonly state: AllocationState | null;
  readonly carry: Memory | null;
}

/** What the rule knows of each prompt, from before the step. */
function inputsOf({ statistics }: PlanView, tasks: readonly Task[], needsRate: boolean): PromptInput[] {
  return tasks.map((task) => {
    const prediction = statistics.predictedRate(task.level);
    const passRate = statistics.passRate(task.id) ?? (needsRate ? { value: prediction } : undefined);
    return {
      id: task.id,
      ...(passRate ? { passRate } : {}),
      history: statistics.history(task.id),
      prediction,
    };
  });
}

/** What an allocation rule draws its random numbers from in a step. */
export const drawsOf = ({ seed }: JobSettings, step: number) => ({ seed, stream: `allocation/${step}` });

function allocate(
  view: PlanView,
  tasks: readonly Task[],
  budget: number,
  sizes: RunSizes,
  keepTotal: boolean,
): Allocated {
  if (tasks.length === 0) return { counts: new Map(), last: undefined, drafts: [], state: null, carry: null };
  const { control, settings, statistics, step } = view;
  const { method, parameters } = allocationOf(control.methods.allocation, sizes);
  const { failureRate } = statistics;
  const inputs = inputsOf(view, tasks, method.needs.includes('passRate'));
  try {
    const start = method.start(
      {
        prompts: inputs,
        budget,
        epoch: view.place.pass,
        step,
        totalSteps: settings.steps,
        ...(failureRate === undefined ? {} : { failureRate }),
        ...(view.carried.method === method.id ? { memory: view.carried.memory } : {}),
      },
      Rng.from(settings.seed).fork(drawsOf(settings, step).stream),
      parameters,
    );
    const answer = method.next(start, []);
    const wished = countsOf(answer, tasks.length);
    const counts = keepTotal ? cutTo(wished, budget) : wished;
    const draft = answerDraft(method.title, answer, tasks, counts, drawsOf(settings, step));
    return {
      counts: new Map(tasks.map((task, i) => [task, counts[i]!])),
      last: lastNamed(answer, tasks),
      drafts: [draft],
      state: answer.done ? null : answer.state,
      carry: answer.carry ?? null,
    };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const given = tasks.slice(0, sizes.promptsPerStep);
    const counts = evenly(budget, given.length);
    return {
      counts: new Map(given.map((task, i) => [task, counts[i]!])),
      last: given[given.length - 1],
      drafts: [fallbackDraft(method.id, method.title, error.message, given, counts, budget)],
      state: null,
      carry: null,
    };
  }
}

/** The prompt that stands last among those the answer speaks of; undefined if it speaks of none. */
export function lastNamed({ requests }: AllocationAnswer, tasks: readonly Task[]): Task | undefined {
  return tasks[requests.reduce((last, { prompt }) => Math.max(last, prompt), -1)];
}

export function countsOf(answer: AllocationAnswer, prompts: number): number[] {
  const counts = new Array<number>(prompts).fill(0);
  for (const { prompt, action, count } of answer.requests) if (action === 'launch') counts[prompt]! += count;
  return counts;
}

/** Takes rollouts from the largest groups, later ones first among equals, until the sum is within the total. */
export function cutTo(counts: readonly number[], total: number): number[] {
  const cut = [...counts];
  let over = cut.reduce((sum, count) => sum + count, 0) - total;
  while (over > 0) {
    let largest = 0;
    for (let i = 1; i < cut.length; i++) if (cut[i]! >= cut[largest]!) largest = i;
    if (cut[largest]! === 0) break;
    cut[largest]!--;
    over--;
  }
  return cut;
}

const evenly = (budget: number, prompts: number): number[] =>
  Array.from(
    { length: prompts },
    (_, i) => Math.floor(((i + 1) * budget) / prompts) - Math.floor((i * budget) / prompts),
  );
