/** The job's only sources of time, so that tests can stand in for them. */
export interface Clock {
  /** Monotonic milliseconds from an arbitrary start. */
  now(): number;
  /** Unix milliseconds. */
  unix(): number;
  /** Resolves after `ms` milliseconds; 0 lets waiting input and output have a turn. */
  sleep(ms: number): Promise<void>;
}

export const realClock: Clock = {
  now: () => performance.now(),
  unix: () => Date.now(),
  sleep: (ms) =>
    new Promise((resolve) => {
      if (ms <= 0) setImmediate(resolve);
      else setTimeout(resolve, ms);
    }),
};
