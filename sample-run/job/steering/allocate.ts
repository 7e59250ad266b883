import type { SteeringParams } from '../../../protocol/wire/steering';
import { EVERY_PROMPT, type ControlState, type Pin } from '../controlState';
import type { JobState } from '../jobState';
import { taskById } from '../../tasks/taskSet';
import { proposeGroupBudget } from './allocateGroup';
import { proposeNodeCap } from './allocateNode';
import { gainsAndLosses, planChange, type PlanEffect } from './planChange';
import {
  checkSpan,
  checkTemperature,
  counted,
  knownTask,
  MOST_ROLLOUTS,
  named,
  Refused,
  type Proposal,
} from './proposal';

type Params = SteeringParams<'allocate'>;

export function proposeAllocate(job: JobState, params: Params): Proposal {
  const { subjects, rollouts, tokens, turns, temperature } = params;
  if (turns)
    throw new Refused('unsupported', 'The tasks of this run have one turn; there is no budget of turns.');
  if (!rollouts && !params.each && !tokens && temperature === undefined) {
    throw new Refused('outOfRange', 'The request names no budget: give rollouts, tokens or a temperature.');
  }
  const types = new Set(subjects.map(({ type }) => type));
  const [type] = types;
  if (types.size !== 1 || type === undefined) {
    throw new Refused('unsupported', 'One request is for subjects of one kind. Send one for each kind.');
  }
  const ids = [...new Set(subjects.map(({ id }) => id))];
  if (params.each) checkEach(params, ids.length);
  if (type === 'group') return proposeGroupBudget(job, params, ids);
  if (type === 'node') return proposeNodeCap(job, params, ids);
  if (type === 'run') return proposePins(job, params, [EVERY_PROMPT]);
  if (type !== 'prompt') {
    throw new Refused('unsupported', `This run has no budget of its own for a ${type}.`);
  }
  for (const id of ids) knownTask(taskById(id)?.split === 'train', id);
  return proposePins(job, params, ids);
}

/** A budget for each subject: there must be as many as prompts, each prompt once. */
function checkEach({ each = [], rollouts, subjects }: Params, different: number): void {
  if (subjects.some(({ type }) => type !== 'prompt')) {
    throw new Refused('unsupported', 'Only prompts can be given a budget each in one request.');
  }
  if (rollouts || each.length !== subjects.length || different !== subjects.length) {
    throw new Refused(
      'outOfRange',
      `${counted(each.length, 'budget')} for ${counted(different, 'prompt')}: give one for each. Nothing was changed.`,
    );
  }
}

/** Budgets that hold from the next step on. */
function proposePins(job: JobState, params: Params, keys: readonly string[]): Proposal {
  const fromStep = job.nextStep;
  checkSpan(fromStep, params.untilStep, job.settings.steps);
  const { pins } = job.control;
  const before = Object.fromEntries(keys.map((key) => [key, pins[key] ?? null]));
  const after = Object.fromEntries(
    keys.map((key, i) => [key, nextPin(paramsOf(params, i), before[key] ?? null, fromStep)]),
  );
  if (keys.every((key) => before[key] === null && after[key] === null)) {
    throw new Refused('alreadySo', 'None of these has a budget of its own. Nothing was changed.');
  }
  for (const pin of Object.values(after)) checkPin(pin);
  const change = (control: ControlState): void => setPins(control, after);
  const effect = planChange(job, fromStep, change);
  const forAll = keys[0] === EVERY_PROMPT;
  const subjects = forAll
    ? [{ type: 'run' as const, id: job.settings.runId }]
    : keys.map((id) => ({ type: 'prompt' as const, id }));
  return {
    sentence: sentenceOf(job, params, keys, after, effect),
    subjects,
    before: forAll ? { everyPrompt: words(before[EVERY_PROMPT] ?? null) } : wordsOf(before),
    after: forAll ? { everyPrompt: words(after[EVERY_PROMPT] ?? null) } : wordsOf(after),
    effect: {
      ...effect,
      fromStep,
      ...(params.untilStep === undefined ? {} : { untilStep: params.untilStep }),
    },
    inverse: { kind: 'pins', before },
    apply: () => {
      change(job.control);
      return [];
    },
  };
}

export function setPins(control: ControlState, pins: Readonly<Record<string, Pin | null>>): void {
  for (const [key, pin] of Object.entries(pins)) {
    if (pin) control.pins[key] = pin;
    else Reflect.deleteProperty(control.pins, key);
  }
}

/** The request as it is for its i-th subject. */
const paramsOf = (params: Params, i: number): Params =>
  params.each ? { ...params, rollouts: { set: params.each[i] ?? 0 } } : params;

/** The pin after a request: what the request does not speak of stays. */
function nextPin(params: Params, before: Pin | null, fromStep: number): Pin | null {
  const { rollouts, tokens, temperature, charge, untilStep } = params;
  let set = before?.set;
  let add = before?.add;
  if (rollouts && 'clear' in rollouts) set = add = undefined;
  else if (rollouts && 'set' in rollouts) [set, add] = [rollouts.set, undefined];
  else if (rollouts) {
    if (set === undefined) add = (add ?? 0) + rollouts.add;
    else set = Math.max(0, set + rollouts.add);
  }
  if (add === 0) add = undefined;
  let cap = before?.tokens;
  if (tokens && 'clear' in tokens) cap = undefined;
  else if (tokens && 'set' in tokens) cap = tokens.set;
  else if (tokens) cap = Math.max(0, (cap ?? 0) + tokens.add);
  const heat = temperature ?? before?.temperature;
  if (set === undefined && add === undefined && cap === undefined && temperature === undefined) return null;
  return {
    command: params.commandId,
    author: params.author,
    charge,
    fromStep,
    untilStep: untilStep ?? null,
    ...(set === undefined ? {} : { set }),
    ...(add === undefined ? {} : { add }),
    ...(cap === undefined ? {} : { tokens: cap }),
    ...(heat === undefined ? {} : { temperature: heat }),
  };
}

function checkPin(pin: Pin | null): void {
  if (!pin) return;
  if ((pin.set ?? 0) > MOST_ROLLOUTS || Math.abs(pin.add ?? 0) > MOST_ROLLOUTS) {
    throw new Refused('outOfRange', `A prompt can have at most ${MOST_ROLLOUTS} rollouts in a step.`);
  }
  checkTemperature(pin.temperature);
}

const words = (pin: Pin | null): string => {
  if (!pin) return 'by the method';
  const parts = [
    ...(pin.set === undefined ? [] : [`set ${pin.set}`]),
    ...(pin.add === undefined ? [] : [`${pin.add >= 0 ? '+' : ''}${pin.add}`]),
    ...(pin.tokens === undefined ? [] : [`at most ${pin.tokens} tokens`]),
    ...(pin.temperature === undefined ? [] : [`temperature ${pin.temperature}`]),
  ];
  return parts.join(', ');
};
const wordsOf = (pins: Readonly<Record<string, Pin | null>>): Record<string, string> =>
  Object.fromEntries(Object.entries(pins).map(([id, pin]) => [id, words(pin)]));

function sentenceOf(
  job: JobState,
  params: Params,
  keys: readonly string[],
  after: Readonly<Record<string, Pin | null>>,
  effect: PlanEffect,
): string {
  const fromStep = job.nextStep;
  const span =
    params.untilStep === undefined
      ? `From step ${fromStep} on`
      : params.untilStep === fromStep
        ? `In step ${fromStep}`
        : `In steps ${fromStep} to ${params.untilStep}`;
  const first = after[keys[0] ?? ''] ?? null;
  const { before, after: now } = effect.rollouts;
  const total =
    before === now
      ? `The step keeps its ${counted(now, 'rollout')}.`
      : `The step has ${now} rollouts instead of ${before}.`;
  if (keys[0] === EVERY_PROMPT) {
    const what = first
      ? `the budget of a prompt is ${words(first)}`
      : 'the budget of a prompt is the run’s own again';
    return `${span} ${what}. ${total}`;
  }
  const { each } = params;
  const what = each
    ? `${named(keys)}: ${Math.min(...each)} to ${Math.max(...each)} rollouts, each its own, drawn in every step`
    : first
      ? `${named(keys)}: ${words(first)}, drawn in every step`
      : `${named(keys)}: by the method again`;
  return `${span} ${what}. ${total}${gainsAndLosses(effect, new Set(keys))}`;
}
