import type { Ledger } from './ledger';

export interface TreeParams {
  /** Group id; null: the group of `prompt` in `step`, else the newest open one. */
  readonly group: string | null;
  readonly prompt: string | null;
  readonly step: number | null;
  /** Credit rule whose advantages are wanted; null: the first recorded. */
  readonly rule: string | null;
}

/**
 * The trees of one group, in columns. Rollouts and nodes are numbered by their place in the columns; children
 * stand after their parents. Missing numbers are NaN, missing indices −1.
 */
export interface TreeView {
  readonly group: string;
  readonly prompt: string;
  readonly excerpt: string | null;
  readonly step: number;
  readonly policyVersion: number;
  readonly closed: boolean;
  /** `all0` | `all1` | `mixed` | `none`: the published rewards so far. */
  readonly outcome: 'all0' | 'all1' | 'mixed' | 'none';
  readonly gradient: boolean | null;
  readonly ledger: Ledger;
  readonly decision: string | null;
  readonly rules: readonly string[];
  readonly rule: string | null;
  readonly meanReward: number;
  readonly sdReward: number;
  /** exp(Shannon entropy) of the leaves' cluster shares; NaN when unknown. */
  readonly differentBranches: number;
  readonly leaves: number;
  /** Tokens of the largest first-level subtree over the tokens of the tree, shared tokens once. */
  readonly largestShare: number;

  readonly rollouts: {
    readonly id: readonly string[];
    /** Index in ENDINGS; −1 running. */
    readonly ending: Int8Array;
    readonly reward: Float32Array;
    /** 1, 0, −1 unknown. */
    readonly success: Int8Array;
    readonly advantage: Float32Array;
    /** Tokens from the root of the tree to the end of the rollout. */
    readonly end: Int32Array;
    /** Index in USES. */
    readonly use: Uint8Array;
    readonly inBaseline: Uint8Array;
    readonly discarded: readonly (string | null)[];
    readonly reason: readonly (string | null)[];
    /** Decision that launched it. */
    readonly decision: readonly (string | null)[];
    readonly author: readonly (string | null)[];
    /** First node of the rollout. */
    readonly firstNode: Int32Array;
  };
  readonly nodes: {
    readonly id: readonly string[];
    readonly rollout: Int32Array;
    readonly parent: Int32Array;
    /** Position in the parent where it attaches. */
    readonly at: Int32Array;
    /** Position of its first unit on the path from the root. */
    readonly start: Int32Array;
    readonly length: Int32Array;
    readonly kind: Uint8Array;
    readonly origin: Uint8Array;
    /** Index in ENDINGS; −1 growing. */
    readonly ending: Int8Array;
    readonly entropy: Float32Array;
    readonly logProb: Float32Array;
    readonly value: Float32Array;
    readonly policyVersion: Int32Array;
    readonly marks: Uint8Array;
    readonly seriesFrom: Int32Array;
    readonly seriesCount: Int32Array;
  };
  /** Entropy (nats) by bins of `bin` units, nodes after each other. */
  readonly bin: number;
  readonly series: Float32Array;
  readonly forks: readonly TreeFork[];
}

export interface TreeFork {
  readonly node: number;
  readonly at: number;
  readonly children: readonly number[];
  readonly by: 'rule' | 'person';
  readonly decision: string | null;
  readonly method: string | null;
  readonly sentence: string | null;
  readonly author: string | null;
  /** Unix ms. */
  readonly time: number;
}
