import { Refusal } from '../refusal';
import type { AllocationMethod } from './allocator';
import { cobaRl } from './cobaRl';
import { dapo } from './dapo';
import { dars } from './dars';
import { dartGui } from './dartGui';
import { datpo } from './datpo';
import { e3 } from './e3';
import { greso } from './greso';
import { knapsackPublished } from './knapsackPublished';
import { knapsackReleased } from './knapsackReleased';
import { mopps } from './mopps';
import { uniform } from './uniform';
import { vade } from './vade';
import { vigor } from './vigor';

/** All allocation methods, in the order in which they are offered. */
export const allocationMethods: readonly AllocationMethod[] = [
  uniform,
  dapo,
  e3,
  dartGui,
  knapsackReleased,
  knapsackPublished,
  cobaRl,
  dars,
  datpo,
  vigor,
  greso,
  mopps,
  vade,
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
