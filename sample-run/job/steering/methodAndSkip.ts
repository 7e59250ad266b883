import { Refusal } from '../../../methods/refusal';
import type { SteeringParams } from '../../../protocol/wire/steering';
import type { ControlState, Skip } from '../controlState';
import { isSkipped } from '../controlState';
import type { JobState } from '../jobState';
import { checkChoice, titleOf } from '../methodTable';
import { TRAIN_TASKS, taskById } from '../../tasks/taskSet';
import { gainsAndLosses, planChange } from './planChange';
import { checkSpan, counted, knownTask, named, Refused, type Proposal } from './proposal';

export function proposeMethod(job: JobState, params: SteeringParams<'setMethod'>): Proposal {
  const { kind, method, parameters } = params;
  const fromStep = job.nextStep;
  checkSpan(fromStep, undefined, job.settings.steps);
  const choice = { method, parameters };
  try {
    checkChoice(kind, choice, job.settings);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const unknown = error.message.startsWith('This run has no');
    throw new Refused(unknown ? 'unsupported' : 'outOfRange', error.message);
  }
  const before = job.control.methods[kind];
  if (before.method === method && sameParameters(before.parameters, parameters)) {
    throw new Refused(
      'alreadySo',
      `${titleOf(kind, method)} with these parameters is the ${kind} method already.`,
    );
  }
  const change = (control: ControlState): void => {
    control.methods[kind] = choice;
  };
  const effect = kind === 'allocation' ? planChange(job, fromStep, change) : null;
  const shares = effect
    ? ` The step would have ${effect.rollouts.after} rollouts instead of ${effect.rollouts.before}.${gainsAndLosses(effect, new Set())}`
    : '';
  return {
    sentence: `From step ${fromStep} on ${kind} is by ${titleOf(kind, method)} instead of ${titleOf(kind, before.method)}.${shares}`,
    subjects: [{ type: 'run', id: job.settings.runId }],
    before: { kind, ...before },
    after: { kind, ...choice },
    effect: { ...effect, fromStep },
    inverse: { kind: 'method', which: kind, before },
    apply: () => {
      change(job.control);
      return [];
    },
  };
}

const sameParameters = (
  a: Readonly<Record<string, unknown>>,
  b: Readonly<Record<string, unknown>>,
): boolean => {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => a[name] === b[name]);
};

export function proposeSkip(job: JobState, params: SteeringParams<'skip'>): Proposal {
  const { commandId, author, untilStep } = params;
  const prompts = [...new Set(params.prompts)];
  const fromStep = job.nextStep;
  checkSpan(fromStep, untilStep, job.settings.steps);
  for (const prompt of prompts) knownTask(taskById(prompt)?.split === 'train', prompt);
  if (prompts.every((prompt) => isSkipped(job.control, prompt, fromStep) && untilStep === undefined)) {
    throw new Refused('alreadySo', `${named(prompts)}: left out already. Nothing was changed.`);
  }
  const before = Object.fromEntries(prompts.map((prompt) => [prompt, job.control.skips[prompt] ?? null]));
  const skip: Skip = { command: commandId, author, fromStep, untilStep: untilStep ?? null };
  const after = Object.fromEntries(prompts.map((prompt) => [prompt, skip]));
  const change = (control: ControlState): void => setSkips(control, after);
  const left = TRAIN_TASKS.filter(
    ({ id }) => !prompts.includes(id) && !isSkipped(job.control, id, fromStep),
  ).length;
  if (left === 0)
    throw new Refused('outOfRange', 'No prompt would be left to train on. Nothing was changed.');
  const effect = planChange(job, fromStep, change);
  const span = untilStep === undefined ? 'on' : `to step ${untilStep}`;
  return {
    sentence: `${named(prompts)}: left out of planning from step ${fromStep} ${span}; ${counted(left, 'prompt')} remain.`,
    subjects: prompts.map((id) => ({ type: 'prompt', id })),
    before: { skipped: prompts.filter((prompt) => before[prompt] !== null) },
    after: { skipped: prompts },
    effect: { ...effect, fromStep, ...(untilStep === undefined ? {} : { untilStep }) },
    inverse: { kind: 'skips', before },
    apply: () => {
      change(job.control);
      job.decisions.record(fromStep, {
        kind: 'skip',
        method: 'person',
        command: commandId,
        sentence: `${author} leaves ${counted(prompts.length, 'prompt')} out of planning from step ${fromStep} ${span}.`,
        body: {
          parameters: {},
          subjects: { type: 'prompt', ids: prompts },
          outcome: { rollouts: prompts.map(() => 0) },
          reasonCodes: prompts.map(() => 'person'),
          reasons: prompts.map(() => `Left out by ${author}.`),
        },
      });
      return [];
    },
  };
}

export function setSkips(control: ControlState, skips: Readonly<Record<string, Skip | null>>): void {
  for (const [prompt, skip] of Object.entries(skips)) {
    if (skip) control.skips[prompt] = skip;
    else Reflect.deleteProperty(control.skips, prompt);
  }
}
