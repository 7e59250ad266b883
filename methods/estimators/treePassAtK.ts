import { Refusal } from '../refusal';
import { checkK } from './counts';

/** Rollout trees of one prompt: `parents[i]` is the parent of node i, −1 for a root; a parent precedes its children. */
export interface RolloutForest {
  readonly parents: readonly number[];
  /** Nodes that are the ends of rollouts, and for each whether the rollout succeeded (1) or not (0). */
  readonly leaves: readonly number[];
  readonly successes: readonly number[];
}

/**
 * Success probability of each root as its tree estimates it: the mean over CHILDREN, recursively, each child of a
 * fork weighing the same (not the mean over leaves, which favours what was forked more). In the order of the roots.
 *
 * Throws a Refusal if a parent does not precede its child, or a childless node is no leaf.
 */
export function rootSuccessRates({ parents, leaves, successes }: RolloutForest): number[] {
  const count = parents.length;
  const sums = new Float64Array(count);
  const children = new Int32Array(count);
  if (leaves.length !== successes.length)
    throw new Refusal('bad-tree', 'Each leaf needs exactly one success value.');
  leaves.forEach((leaf, i) => {
    if (!Number.isInteger(leaf) || leaf < 0 || leaf >= count) {
      throw new Refusal('bad-tree', `Leaf ${leaf} is not a node of the tree.`);
    }
    sums[leaf]! += successes[i]!;
    children[leaf]! += 1;
  });
  const roots: number[] = [];
  for (let i = count - 1; i >= 0; i--) {
    const parent = parents[i]!;
    if (children[i] === 0)
      throw new Refusal('bad-tree', `Node ${i} has no end below it: its rollout is not closed.`);
    const value = sums[i]! / children[i]!;
    if (parent < 0) {
      roots.push(value);
    } else {
      if (parent >= i) throw new Refusal('bad-tree', `Node ${i} stands before its parent ${parent}.`);
      sums[parent]! += value;
      children[parent]! += 1;
    }
  }
  return roots.reverse();
}

/**
 * pass@k over independent trees: 1 − e_k(1−q_1, …, 1−q_M) / C(M, k), e_k the elementary symmetric polynomial, i.e.
 * the mean over the k-subsets of trees of the probability that at least one succeeds. Unbiased if the trees are
 * independent and E[q_i] = p; with single-leaf trees it is the ordinary estimator. `undefined` for k > M.
 *
 * Computed with E_j = e_j / C(m, j), adding trees one by one: E_j ← ((m−j) E_j + j x E_{j−1}) / m.
 * Throws a Refusal unless every rate lies in 0 .. 1 and ks are integers of at least 1.
 */
export function passAtKOfTrees(rates: readonly number[], ks: readonly number[]): (number | undefined)[] {
  ks.forEach(checkK);
  for (const rate of rates) {
    if (!(rate >= 0 && rate <= 1)) throw new Refusal('bad-rate', `A success rate of ${rate} does not exist.`);
  }
  const usable = ks.filter((k) => k <= rates.length);
  const top = usable.length > 0 ? Math.max(...usable) : 0;
  const means = new Float64Array(top + 1);
  means[0] = 1;
  rates.forEach((rate, index) => {
    const m = index + 1;
    for (let j = Math.min(m, top); j >= 1; j--) {
      means[j] = ((m - j) * means[j]! + j * (1 - rate) * means[j - 1]!) / m;
    }
  });
  return ks.map((k) => (k <= rates.length ? 1 - means[k]! : undefined));
}

/** What is recorded of a fork that the tree-aware estimator depends on. */
export interface ForkRecord {
  /** When its position was chosen: see the fork decision of the protocol. */
  readonly position: 'online' | 'after-completion' | 'after-outcome' | 'person';
  readonly children: 'same-policy' | 'forced-token' | 'guided' | 'replayed';
  /** Parent and children were sampled by one version of the weights. */
  readonly sameVersion: boolean;
  readonly sameSampling: boolean;
  /** A rollout of this fork was ended by a rule that looked at it (pruned), or left out. */
  readonly pruned: boolean;
}

export type ForkFailure = 'position' | 'children' | 'version' | 'sampling' | 'pruned';

/**
 * The first fork that makes E[q] = p fail, and why; undefined if all forks allow the tree-aware form. A fork's
 * position must be a stopping time (chosen online, from the tokens before it) and its children fresh draws of the
 * same policy at the same settings; then the value of a prefix is a martingale and the mean over children unbiased.
 */
export function firstBadFork(
  forks: readonly ForkRecord[],
): { readonly fork: number; readonly because: ForkFailure } | undefined {
  for (const [fork, { position, children, sameVersion, sameSampling, pruned }] of forks.entries()) {
    if (position !== 'online') return { fork, because: 'position' };
    if (children !== 'same-policy') return { fork, because: 'children' };
    if (!sameVersion) return { fork, because: 'version' };
    if (!sameSampling) return { fork, because: 'sampling' };
    if (pruned) return { fork, because: 'pruned' };
  }
  return undefined;
}

export interface TreeCoverage {
  /** 'trees': all leaves used, by the tree-aware form. 'roots': only the rollouts that started at the prompt. */
  readonly form: 'trees' | 'roots';
  /** For 'roots': the fork that rules out the other form. */
  readonly failed: { readonly fork: number; readonly because: ForkFailure } | undefined;
  /** Independent units: trees or root rollouts. Largest k that is defined. */
  readonly units: number;
  readonly passAtK: readonly (number | undefined)[];
}

/**
 * pass@k of a prompt whose rollouts share prefixes: tree-aware where every fork allows it, else from the independent
 * root rollouts alone (`rootSuccesses`: 0 or 1 for each rollout that started at the prompt), with the reason.
 */
export function treeCoverage(
  forest: RolloutForest,
  forks: readonly ForkRecord[],
  rootSuccesses: readonly number[],
  ks: readonly number[],
): TreeCoverage {
  const failed = firstBadFork(forks);
  const rates = failed === undefined ? rootSuccessRates(forest) : rootSuccesses;
  return {
    form: failed === undefined ? 'trees' : 'roots',
    failed,
    units: rates.length,
    passAtK: passAtKOfTrees(rates, ks),
  };
}
