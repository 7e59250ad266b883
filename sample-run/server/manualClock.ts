import type { Clock } from '../clock';

/** A clock for tests: time passes only when something sleeps or a test moves it. */
export class ManualClock implements Clock {
  time = 0;

  now(): number {
    return this.time;
  }

  unix(): number {
    return 1_700_000_000_000 + this.time;
  }

  async sleep(ms: number): Promise<void> {
    this.time += ms;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
