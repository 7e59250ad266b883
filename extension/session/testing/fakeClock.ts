import type { Clock } from '../clock';

/** A clock that stands until a test moves it. */
export class FakeClock implements Clock {
  private time = 1_700_000_000_000;
  private readonly timers: { at: number; run: () => void }[] = [];

  now(): number {
    return this.time;
  }

  after(ms: number, run: () => void): () => void {
    const timer = { at: this.time + ms, run };
    this.timers.push(timer);
    return () => {
      const place = this.timers.indexOf(timer);
      if (place >= 0) this.timers.splice(place, 1);
    };
  }

  /** Delays of what is due, shortest first. */
  due(): number[] {
    return this.timers.map(({ at }) => at - this.time).sort((a, b) => a - b);
  }

  async advance(ms: number): Promise<void> {
    const end = this.time + ms;
    for (;;) {
      const next = this.timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.time = Math.max(this.time, next.at);
      this.timers.splice(this.timers.indexOf(next), 1);
      next.run();
      await settle();
    }
    this.time = end;
  }
}

/** Lets everything that waits for promises run. */
export const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
