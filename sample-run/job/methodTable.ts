import type { AllocationMethod } from '../../methods/allocation/allocator';
import { allocationMethods } from '../../methods/allocation/methods';
import type { BranchingMethod } from '../../methods/branching/branching';
import { branchingMethods } from '../../methods/branching/methods';
import type { CreditMethod } from '../../methods/credit/credit';
import { creditMethods } from '../../methods/credit/methods';
import type { MethodDescription as Described } from '../../methods/method';
import { publishedDefaults, resolveParameters, type Parameters as Resolved } from '../../methods/parameters';
import { Refusal } from '../../methods/refusal';
import type { MethodDescription } from '../../protocol/wire/handshake';
import type { Parameters } from '../../protocol/wire/values';
import { METHOD_KINDS, type ControlState, type MethodChoice, type MethodKind } from './controlState';

/** Allocation rules that this job can carry out. */
const FOLLOWED: ReadonlySet<string> = new Set([
  'uniform',
  'knapsack-rl',
  'knapsack-rl-published',
  'coba-rl',
  'coba-rl-released',
  'e3',
  'dart-gui',
  'dapo',
  'dars',
  'vigor',
  'greso',
  'dps',
  'mopps',
  'vade',
]);

const allocations: readonly AllocationMethod[] = allocationMethods.filter(({ id }) => FOLLOWED.has(id));
const credits: readonly CreditMethod[] = creditMethods.filter(({ needs }) => !needs.includes('embeddings'));

const BY_KIND: Readonly<Record<MethodKind, readonly Described[]>> = {
  allocation: allocations,
  branching: branchingMethods,
  credit: credits,
};

/**
 * Parameters that stand for the group size, where a rule has its own name for it. They follow the run’s group size
 * unless a person set them.
 */
const GROUP_SIZE: Readonly<Record<string, readonly string[]>> = {
  uniform: ['groupSize'],
  'knapsack-rl': ['unseen'],
  dars: ['firstStage'],
  dapo: ['groupSize'],
  e3: ['start'],
  'dart-gui': ['full'],
  dps: ['groupSize'],
};

const known = (methods: readonly Described[], id: string, kind: MethodKind): Described => {
  const found = methods.find((method) => method.id === id);
  if (found) return found;
  const ids = methods.map((method) => method.id).join(', ');
  throw new Refusal('bad-parameter', `This run has no ${kind} method ${id}. It has: ${ids}.`);
};

function withoutNull(parameters: Parameters): Resolved {
  const given: Record<string, number | boolean | string> = {};
  for (const [name, value] of Object.entries(parameters)) if (value !== null) given[name] = value;
  return given;
}

/** @throws Refusal when the method or one of its parameters does not exist, or a value is out of range. */
export function checkChoice(kind: MethodKind, choice: MethodChoice): void {
  const { parameters } = known(BY_KIND[kind], choice.method, kind);
  resolveParameters(parameters, withoutNull(choice.parameters));
}

/** The rule of a choice with its parameters complete. @throws Refusal as `checkChoice`. */
function resolve<M extends Described>(
  methods: readonly M[],
  kind: MethodKind,
  choice: MethodChoice,
  defaults: Resolved = {},
): { method: M; parameters: Resolved } {
  known(methods, choice.method, kind);
  const method = methods.find(({ id }) => id === choice.method)!;
  const parameters = resolveParameters(method.parameters, { ...defaults, ...withoutNull(choice.parameters) });
  return { method, parameters };
}

export function allocationOf(choice: MethodChoice, groupSize: number) {
  return resolve(allocations, 'allocation', choice, followingGroupSize(choice.method, groupSize));
}

const followingGroupSize = (method: string, groupSize: number): Resolved =>
  Object.fromEntries((GROUP_SIZE[method] ?? []).map((name) => [name, groupSize]));

export const branchingOf = (choice: MethodChoice): { method: BranchingMethod; parameters: Resolved } =>
  resolve(branchingMethods, 'branching', choice);

export const creditOf = (choice: MethodChoice): { method: CreditMethod; parameters: Resolved } =>
  resolve(credits, 'credit', choice);

export const titleOf = (kind: MethodKind, id: string): string =>
  BY_KIND[kind].find((method) => method.id === id)?.title ?? id;

/**
 * All methods of the run as `initialize` lists them: with the published values of their parameters, the active ones
 * with those they run with.
 */
export function describeMethods(active: ControlState['methods'], groupSize: number): MethodDescription[] {
  return METHOD_KINDS.flatMap((kind) =>
    BY_KIND[kind].map((method) => {
      const choice = active[kind];
      const isActive = choice.method === method.id;
      const parameters = {
        ...publishedDefaults(method.parameters),
        ...(kind === 'allocation' ? followingGroupSize(method.id, groupSize) : {}),
        ...(isActive ? withoutNull(choice.parameters) : {}),
      };
      return { kind, method: method.id, title: method.title, parameters, active: isActive };
    }),
  );
}

/** Ids of the methods that the run offers. */
export const methodIds = (): Record<MethodKind, string[]> => ({
  allocation: allocations.map(({ id }) => id),
  branching: branchingMethods.map(({ id }) => id),
  credit: credits.map(({ id }) => id),
});
