const FIRST_MS = 500;
const LONGEST_MS = 30_000;

/**
 * Delay before try number `attempt` (0: the first after a loss), milliseconds. Doubles up to 30 s; half of it is
 * random, so that many viewers do not come back to a restarted job at one moment.
 *
 * @param random a number in [0, 1).
 */
export function backOff(attempt: number, random: number): number {
  const full = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt, 16));
  return Math.round(full / 2 + (full / 2) * random);
}
