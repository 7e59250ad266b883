import { Refusal } from '../refusal';
import type { AllocationMethod } from './allocator';
import { aero } from './aero';
import { alp } from './alp';
import { aprielDomainSampling } from './aprielDomains';
import { aprielPenalty } from './aprielPenalty';
import { ar3po } from './ar3po';
import { asc } from './asc';
import { bavt } from './bavt';
import { broRl } from './broRl';
import { cobaRl } from './cobaRl';
import { cobaRlReleased } from './cobaRlReleased';
import { dapo } from './dapo';
import { dars } from './dars';
import { dartGui } from './dartGui';
import { datpo } from './datpo';
import { depo } from './depo';
import { dora } from './dora';
import { dots } from './dots';
import { dps } from './dps';
import { duet } from './duet';
import { e3 } from './e3';
import { esc } from './esc';
import { far } from './far';
import { graft } from './graft';
import { greso } from './greso';
import { hbpo } from './hbpo';
import { knapsackPublished } from './knapsackPublished';
import { knapsackReleased } from './knapsackReleased';
import { mopps } from './mopps';
import { orchardBar } from './orchardBar';
import { pilotCommit } from './pilotCommit';
import { poise } from './poise';
import { s2lPo } from './s2lPo';
import { sao } from './sao';
import { sgpo } from './sgpo';
import { trace } from './trace';
import { uniform } from './uniform';
import { vade } from './vade';
import { vHalf } from './vHalf';
import { vigor } from './vigor';
import { vZero } from './vZero';
import { xrpo } from './xrpo';

/** All allocation methods, in the order in which they are offered. */
export const allocationMethods: readonly AllocationMethod[] = [
  uniform,
  dapo,
  e3,
  dartGui,
  knapsackReleased,
  knapsackPublished,
  cobaRl,
  cobaRlReleased,
  duet,
  dora,
  dars,
  datpo,
  vigor,
  orchardBar,
  asc,
  esc,
  greso,
  dps,
  dots,
  depo,
  aprielDomainSampling,
  mopps,
  vade,
  vZero,
  trace,
  xrpo,
  vHalf,
  pilotCommit,
  aero,
  ar3po,
  far,
  sgpo,
  hbpo,
  s2lPo,
  broRl,
  sao,
  poise,
  graft,
  aprielPenalty,
  alp,
  bavt,
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
