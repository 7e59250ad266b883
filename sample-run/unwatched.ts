/** Tells when nobody has been connected for so long that the run should end by itself. Times in milliseconds. */
export class Unwatched {
  private since: number;

  constructor(
    private readonly limitMs: number,
    now: number,
  ) {
    this.since = now;
  }

  /** @param clients connected now @returns true once nobody has been connected for the limit */
  look(clients: number, now: number): boolean {
    if (clients > 0) this.since = now;
    return now - this.since >= this.limitMs;
  }
}
