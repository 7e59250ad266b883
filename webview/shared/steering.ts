import { header } from './host';
import { say } from './strings';

/** Recorded and ended runs have no steering buttons: they cannot be. */
export const steeringShown = (): boolean => {
  const state = header.value?.state;
  return state !== undefined && state !== 'recorded' && state !== 'ended' && state !== 'none';
};

/**
 * Why a steering button is disabled now, for its title; null when it can be pressed.
 *
 * @param capability of the job that the request needs (`steer.fork`).
 */
export const whyNotSteer = (capability?: string): string | null => {
  const run = header.value;
  if (!run || !run.canSteer) return run?.whyNot ?? say('noSteering');
  if (capability !== undefined && !run.capabilities.includes(capability)) {
    return say('notOffered', { capability });
  }
  return null;
};

/** Nothing of the run moves here any more: what ran is what was last seen running. */
export const isStill = (): boolean => {
  const state = header.value?.state;
  return state === 'lost' || state === 'refused' || state === 'ended' || state === 'recorded';
};
