/** One text at one moment. */
export interface Snapshot {
  readonly uri: string;
  readonly version: number;
}

/** Calls back after some milliseconds; returns what calls it off. A parameter, so that tests need not wait. */
export type Timer = (callback: () => void, milliseconds: number) => () => void;

/**
 * Runs a check some time after the last change of a document, and hands out its result only when the document has
 * not changed or closed meanwhile: an answer for an old text never reaches anyone.
 */
export class CheckScheduler<Moment extends Snapshot, Result> {
  readonly #waiting = new Map<string, () => void>();
  readonly #check: (snapshot: Moment) => Promise<Result>;
  readonly #isCurrent: (snapshot: Moment) => boolean;
  readonly #publish: (snapshot: Moment, result: Result) => void;
  readonly #fail: (snapshot: Moment, error: unknown) => void;
  readonly #timer: Timer;
  readonly #delay: number;

  constructor(options: {
    readonly check: (snapshot: Moment) => Promise<Result>;
    readonly isCurrent: (snapshot: Moment) => boolean;
    readonly publish: (snapshot: Moment, result: Result) => void;
    readonly fail: (snapshot: Moment, error: unknown) => void;
    readonly timer: Timer;
    /** Milliseconds of quiet before a check. */
    readonly delay: number;
  }) {
    this.#check = options.check;
    this.#isCurrent = options.isCurrent;
    this.#publish = options.publish;
    this.#fail = options.fail;
    this.#timer = options.timer;
    this.#delay = options.delay;
  }

  schedule(snapshot: Moment): void {
    this.cancel(snapshot.uri);
    const stop = this.#timer(() => {
      this.#waiting.delete(snapshot.uri);
      void this.#run(snapshot);
    }, this.#delay);
    this.#waiting.set(snapshot.uri, stop);
  }

  cancel(uri: string): void {
    this.#waiting.get(uri)?.();
    this.#waiting.delete(uri);
  }

  dispose(): void {
    for (const uri of [...this.#waiting.keys()]) this.cancel(uri);
  }

  async #run(snapshot: Moment): Promise<void> {
    if (!this.#isCurrent(snapshot)) return;
    try {
      const result = await this.#check(snapshot);
      if (this.#isCurrent(snapshot)) this.#publish(snapshot, result);
    } catch (error) {
      this.#fail(snapshot, error);
    }
  }
}
