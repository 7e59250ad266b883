import { Refusal } from '../refusal';
import type { BranchingMethod } from './branching';
import { datpo } from './datpo';
import { independent } from './independent';
import { treeRl } from './treeRl';

/** All branching methods, in the order in which they are offered. */
export const branchingMethods: readonly BranchingMethod[] = [independent, datpo, treeRl];

/** The method with this id. Throws a Refusal that lists the known ids. */
export function branchingMethodById(id: string): BranchingMethod {
  const found = branchingMethods.find((method) => method.id === id);
  if (found === undefined) {
    const known = branchingMethods.map((method) => method.id).join(', ');
    throw new Refusal('bad-parameter', `There is no branching method ${id}. Known: ${known}.`);
  }
  return found;
}
