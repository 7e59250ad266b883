import { Refusal } from '../refusal';
import type { AllocationMethod } from './allocator';
import { dars } from './dars';
import { knapsackPublished } from './knapsackPublished';
import { knapsackReleased } from './knapsackReleased';
import { uniform } from './uniform';

/** All allocation methods, in the order in which they are offered. */
export const allocationMethods: readonly AllocationMethod[] = [
  uniform,
  knapsackReleased,
  knapsackPublished,
  dars,
];

/** The method with this id. Throws a Refusal that lists the known ids. */
export function allocationMethodById(id: string): AllocationMethod {
  const found = allocationMethods.find((method) => method.id === id);
  if (found === undefined) {
    const known = allocationMethods.map((method) => method.id).join(', ');
    throw new Refusal('bad-parameter', `There is no allocation method ${id}. Known: ${known}.`);
  }
  return found;
}
