import { computed, signal } from '@preact/signals';
import { allocationMethods } from '../../methods/allocation/methods';
import type { AllocationMethod } from '../../methods/allocation/allocator';
import { publishedDefaults, resolveParameters, type Parameters } from '../../methods/parameters';
import type { WhatIfGaps, WhatIfMethod, WhatIfView } from '../../protocol/panels/whatIf';
import { uiState } from '../shared/uiState';

/** Draws of a what-if, and the seed that they are drawn with: the same in every panel, so that numbers agree. */
export const DRAWS = 200;
export const SEED = 1;
/** More stand in the table one below the other, but not beside each other in the columns. */
export const MOST_METHODS = 8;

const FIRST_CHOICE = ['uniform', 'dars', 'vigor'];
const isGaps = (value: unknown): value is WhatIfGaps =>
  value === 'ask' || value === 'leaveOut' || value === 'half';

export const methodOf = (id: string): AllocationMethod | undefined =>
  allocationMethods.find((method) => method.id === id);

/** The published values. A parameter without one is left for the person. */
export const freshChoice = (id: string): WhatIfMethod => ({
  method: id,
  parameters: publishedDefaults(methodOf(id)?.parameters ?? []),
  gaps: 'ask',
});

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What was kept of a choice; undefined: its method or a parameter is not known any more. */
function readChoice(value: unknown): WhatIfMethod | undefined {
  if (!isRecord(value) || typeof value['method'] !== 'string' || !isGaps(value['gaps'])) return undefined;
  const method = methodOf(value['method']);
  const given = value['parameters'];
  if (!method || !isRecord(given)) return undefined;
  const parameters: Record<string, number | boolean | string> = {};
  for (const declared of method.parameters) {
    const one = given[declared.name];
    if (typeof one === 'number' || typeof one === 'boolean' || typeof one === 'string')
      parameters[declared.name] = one;
  }
  return { method: method.id, parameters, gaps: value['gaps'] };
}

/** The methods compared, as the person set them up. */
export const choices = uiState<readonly WhatIfMethod[]>(
  'budgets.whatIf',
  1,
  FIRST_CHOICE.filter((id) => methodOf(id)).map(freshChoice),
  (value) =>
    Array.isArray(value) ? value.flatMap((one) => readChoice(one) ?? []).slice(0, MOST_METHODS) : undefined,
);

/** Place of the method that Apply and the lists are about. */
export const chosen = signal(0);
/** Place of the method whose parameters are open; −1: none. */
export const edited = signal(-1);
/** Counts up when what was recorded since is taken in. */
export const again = signal(0);
/** The what-if as it is now; null: none. */
export const whatIfView = signal<WhatIfView | null>(null);

export const change = (place: number, part: Partial<WhatIfMethod>): void => {
  choices.value = choices.value.map((choice, i) => (i === place ? { ...choice, ...part } : choice));
};

export const addChoice = (id: string): void => {
  if (choices.value.length >= MOST_METHODS) return;
  const choice = freshChoice(id);
  choices.value = [...choices.value, choice];
  const incomplete = parametersProblem(choice) !== null;
  if (incomplete) edited.value = choices.value.length - 1;
};

export const removeChoice = (place: number): void => {
  choices.value = choices.value.filter((_, i) => i !== place);
  edited.value = -1;
  if (chosen.value >= choices.value.length) chosen.value = Math.max(0, choices.value.length - 1);
};

/** Why the parameters cannot be taken; null: they can. */
export const parametersProblem = ({ method, parameters }: WhatIfMethod): string | null => {
  try {
    resolveParameters(methodOf(method)?.parameters ?? [], parameters);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

/** The parameters with published values for those that were not given, for a request to the job. */
export const completeParameters = ({ method, parameters }: WhatIfMethod): Parameters => ({
  ...publishedDefaults(methodOf(method)?.parameters ?? []),
  ...parameters,
});

/** The row that is chosen in the view. */
export const chosenRow = computed(() => whatIfView.value?.rows[chosen.value] ?? null);
