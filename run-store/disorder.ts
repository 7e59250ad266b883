/** What was wrong with the stream, by kind. Nothing of it stops the store; a person sees one finding a kind. */
export const DISORDERS = {
  openedTwice: 'An id was opened twice',
  closedTwice: 'An id was closed twice',
  twoOwners: 'A node or rollout belongs to two owners',
  rewardNotFinite: 'A reward is not a number',
  afterRelease: 'Events about steps that are no longer in memory',
  countMismatch: 'An event contradicts its own counts',
} as const;
export type DisorderCode = keyof typeof DISORDERS;

export interface DisorderNote {
  readonly code: DisorderCode;
  count: number;
  /** The first case, in one sentence. */
  readonly example: string;
  readonly t: number;
}

/** Counts the disorders of one incarnation and keeps the first example of each. */
export class Disorder {
  readonly notes = new Map<DisorderCode, DisorderNote>();

  note(code: DisorderCode, t: number, example: () => string): void {
    const known = this.notes.get(code);
    if (known) known.count += 1;
    else this.notes.set(code, { code, count: 1, example: example(), t });
  }
}
