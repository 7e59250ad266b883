import { grown, columnBytes } from './chunks';

/** A result of a prompt from before the stream. */
export interface PriorResult {
  readonly step: number;
  readonly policyVersion: number;
  readonly n: number;
  readonly c: number;
  readonly sumReward: number;
  readonly sumReward2: number;
}

/** What the job declared of a prompt; empty texts: nothing. */
export interface PromptFacts {
  readonly difficulty: string | null;
  readonly domain: string | null;
  readonly split: string | null;
  readonly length: number | null;
  readonly excerpt: string | null;
}

export const NO_FACTS: PromptFacts = {
  difficulty: null,
  domain: null,
  split: null,
  length: null,
  excerpt: null,
};

/** The prompts of the run, over all its incarnations, in the order in which they were first spoken of. */
export class PromptTable {
  readonly ids: string[] = [];
  readonly facts: PromptFacts[] = [];
  /** Results of before the stream, by row. */
  readonly priors = new Map<number, PriorResult[]>();
  private readonly byId = new Map<string, number>();
  private room = 256;
  /** All results of the run, the priors included. */
  n = new Float64Array(this.room);
  c = new Float64Array(this.room);
  /** Groups that were opened for it, in all steps. */
  groups = new Int32Array(this.room);

  get count(): number {
    return this.ids.length;
  }

  /** The row of a prompt, made on first sight. */
  row(id: string): number {
    let row = this.byId.get(id);
    if (row === undefined) {
      row = this.ids.length;
      this.byId.set(id, row);
      this.ids.push(id);
      this.facts.push(NO_FACTS);
      if (row === this.room) {
        this.room = Math.ceil(1.5 * this.room);
        this.n = grown(this.n, this.room, 0);
        this.c = grown(this.c, this.room, 0);
        this.groups = grown(this.groups, this.room, 0);
      }
    }
    return row;
  }

  /** Forgets what was told of a step from before the stream: the results themselves are held now. */
  dropPriors(row: number, step: number): void {
    const known = this.priors.get(row);
    if (!known) return;
    for (let i = known.length - 1; i >= 0; i--) {
      const prior = known[i]!;
      if (prior.step !== step) continue;
      this.n[row]! -= prior.n;
      this.c[row]! -= prior.c;
      known.splice(i, 1);
    }
  }

  find(id: string): number {
    return this.byId.get(id) ?? -1;
  }

  get bytes(): number {
    let texts = 0;
    for (const { excerpt } of this.facts) texts += 64 + (excerpt?.length ?? 0);
    return columnBytes(this) + texts + 100 * this.count;
  }
}
