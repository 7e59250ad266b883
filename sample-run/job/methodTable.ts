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
import { followedAllocations, parametersOfRun, type RunSizes } from './followedMethods';

const credits: readonly CreditMethod[] = creditMethods.filter(({ needs }) => !needs.includes('embeddings'));

const BY_KIND: Readonly<Record<MethodKind, readonly Described[]>> = {
  allocation: followedAllocations,
  branching: branchingMethods,
  credit: credits,
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
export function checkChoice(kind: MethodKind, choice: MethodChoice, run: RunSizes): void {
  resolve(BY_KIND[kind], kind, choice, ofRun(kind, choice.method, run));
}

const ofRun = (kind: MethodKind, method: string, run: RunSizes): Resolved =>
  kind === 'allocation' ? parametersOfRun(method, run) : {};

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

export const allocationOf = (choice: MethodChoice, run: RunSizes) =>
  resolve(followedAllocations, 'allocation', choice, parametersOfRun(choice.method, run));

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
export function describeMethods(active: ControlState['methods'], run: RunSizes): MethodDescription[] {
  return METHOD_KINDS.flatMap((kind) =>
    BY_KIND[kind].map((method) => {
      const choice = active[kind];
      const isActive = choice.method === method.id;
      const parameters = {
        ...publishedDefaults(method.parameters),
        ...ofRun(kind, method.id, run),
        ...(isActive ? withoutNull(choice.parameters) : {}),
      };
      return { kind, method: method.id, title: method.title, parameters, active: isActive };
    }),
  );
}

/** Ids of the methods that the run offers. */
export const methodIds = (): Record<MethodKind, string[]> => ({
  allocation: followedAllocations.map(({ id }) => id),
  branching: branchingMethods.map(({ id }) => id),
  credit: credits.map(({ id }) => id),
});
