import { Refusal } from '../refusal';
import type { CreditMethod } from './credit';
import { datpo } from './datpo';
import { drGrpo } from './drGrpo';
import { grpo } from './grpo';
import { leaveOneOut } from './leaveOneOut';
import { treeGrpo } from './treeGrpo';
import { treeRl } from './treeRl';

/** All credit methods, in the order in which they are offered. */
export const creditMethods: readonly CreditMethod[] = [grpo, drGrpo, leaveOneOut, treeGrpo, treeRl, datpo];

/** The method with this id. Throws a Refusal that lists the known ids. */
export function creditMethodById(id: string): CreditMethod {
  const found = creditMethods.find((method) => method.id === id);
  if (found === undefined) {
    const known = creditMethods.map((method) => method.id).join(', ');
    throw new Refusal('bad-parameter', `There is no credit method ${id}. Known: ${known}.`);
  }
  return found;
}
