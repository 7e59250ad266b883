import {
  type ForkRecord,
  type RolloutForest,
  firstBadFork,
  rootSuccessRates,
} from '../../methods/estimators/treePassAtK';
import { check } from '../../protocol/wire/rpc';
import { Decision } from '../../protocol/wire/values';
import type { Incarnation } from '../incarnation';
import { USE_PROBE } from '../ledger/categories';
import { Results } from '../ledger/results';
import { CHUNK_MASK, NONE } from '../tables/chunks';
import { decisionOf } from './find';
import { rolloutsOf } from './groupFacts';
import type { RootsBecause } from './trainingCounts';
import { type TreeNodes, nodesOfRollouts, orderNodes } from './treeNodes';

/** Rates of a group at a state of it, since the same closed groups are asked for with every view. */
interface Known {
  readonly touched: number;
  readonly threshold: number | null;
  readonly rates: number[] | RootsBecause;
}
const known = new WeakMap<Incarnation, Map<number, Known>>();

/**
 * Success rate of each independent tree of a group whose rollouts fork, or why only the rollouts that began at the
 * prompt can be used: the first condition of the tree-aware form that does not hold.
 */
export function treeRates(
  incarnation: Incarnation,
  group: number,
  threshold: number | null,
): number[] | RootsBecause {
  const groups = known.get(incarnation) ?? new Map<number, Known>();
  known.set(incarnation, groups);
  const touched = incarnation.groups.touched[group]!;
  const before = groups.get(group);
  if (before?.touched === touched && before.threshold === threshold) return before.rates;
  const rates = new GroupTrees(incarnation, group, threshold).rates();
  groups.set(group, { touched, threshold, rates });
  return rates;
}

/** Where other nodes attach, and the nodes that do. */
interface Fork {
  readonly children: readonly number[];
  /** Rollouts whose ends depend on it. */
  readonly rollouts: readonly number[];
}

class GroupTrees {
  private readonly nodes: TreeNodes;
  private readonly rollouts: readonly number[];
  private readonly results: Results;
  /** Cuts of each node, ascending: positions inside it at which others attach. */
  private readonly cuts: number[][] = [];
  private readonly firstSegment: number[] = [];
  private readonly parents: number[] = [];

  constructor(
    private readonly incarnation: Incarnation,
    private readonly group: number,
    private readonly threshold: number | null,
  ) {
    this.results = new Results(incarnation);
    this.rollouts = rolloutsOf(incarnation, group).filter(
      (row) => incarnation.rollouts.chunk(row)!.use[row & CHUNK_MASK] !== USE_PROBE,
    );
    this.nodes = orderNodes(incarnation, nodesOfRollouts(incarnation, this.rollouts));
  }

  rates(): number[] | RootsBecause {
    if (this.rollouts.length < this.incarnation.groups.n[this.group]! || this.nodes.rows.length === 0) {
      return 'released';
    }
    this.cut();
    const failed = firstBadFork(this.forks().map((fork) => this.recordOf(fork)));
    if (failed) return failed.because;
    const forest = this.forest();
    return forest === null ? 'unfinished' : rootSuccessRates(forest);
  }

  /** Parts every node at the positions where others attach; a part's parent is the part that ends where it begins. */
  private cut(): void {
    const { rows, parent, at } = this.nodes;
    for (let k = 0; k < rows.length; k++) this.cuts.push([]);
    for (let k = 0; k < rows.length; k++) {
      const above = parent[k]!;
      if (above === NONE || at[k]! <= 0 || at[k]! >= this.lengthOf(above)) continue;
      if (!this.cuts[above]!.includes(at[k]!)) this.cuts[above]!.push(at[k]!);
    }
    for (let k = 0; k < rows.length; k++) {
      const cuts = this.cuts[k]!.sort((a, b) => a - b);
      this.firstSegment.push(this.parents.length);
      this.parents.push(this.segmentAbove(k));
      for (let i = 0; i < cuts.length; i++) this.parents.push(this.parents.length - 1);
    }
  }

  private segmentAbove(k: number): number {
    const above = this.nodes.parent[k]!;
    if (above === NONE) return NONE;
    const at = this.nodes.at[k]!;
    const first = this.firstSegment[above]!;
    if (at <= 0) return this.parents[first]!;
    const cuts = this.cuts[above]!;
    const place = cuts.indexOf(at);
    return first + (place < 0 ? cuts.length : place);
  }

  private forks(): Fork[] {
    const { rows, parent, at } = this.nodes;
    const byPlace = new Map<string, number[]>();
    for (let k = 0; k < rows.length; k++) {
      if (parent[k] === NONE || this.ownerOf(k) === this.ownerOf(parent[k]!)) continue;
      const key = `${parent[k]!}:${at[k]!}`;
      const there = byPlace.get(key);
      if (there) there.push(k);
      else byPlace.set(key, [k]);
    }
    return [...byPlace.values()].flatMap((children) => {
      const above = parent[children[0]!]!;
      const goesOn = at[children[0]!]! < this.lengthOf(above);
      // One continuation at the end of a node is a rollout that went on under another id.
      if (children.length + (goesOn ? 1 : 0) < 2) return [];
      const owners = [...children, ...(goesOn ? [above] : [])].map((k) => this.ownerOf(k));
      return [{ children, rollouts: owners }];
    });
  }

  private recordOf({ children, rollouts }: Fork): ForkRecord {
    const pruned = rollouts.some((row) => !this.isSample(row));
    const decision = decisionOf(this.incarnation, this.decisionHandle(children[0]!));
    if (!decision) {
      // Nothing says when its place was chosen: the form that must know it is not used.
      return {
        position: 'after-completion',
        children: 'same-policy',
        sameVersion: true,
        sameSampling: true,
        pruned,
      };
    }
    const body = check(Decision, JSON.parse(decision.body), 'decision');
    const versions = children.map((k) => this.versionOf(k));
    return {
      position: decision.command === null ? (body.position ?? 'after-completion') : 'person',
      children: body.children ?? 'same-policy',
      sameVersion:
        body.versionBefore === body.versionAfter && versions.every((version) => version === versions[0]),
      sameSampling: JSON.stringify(body.samplingBefore) === JSON.stringify(body.samplingAfter),
      pruned,
    };
  }

  /** null: a branch of a tree has no known end. Trees without any end are left out, as their rollouts are elsewhere. */
  private forest(): RolloutForest | null {
    const leafOf = new Map<number, number>();
    for (let k = 0; k < this.nodes.rows.length; k++) {
      leafOf.set(this.ownerOf(k), this.firstSegment[k]! + this.cuts[k]!.length);
    }
    const leaves = new Map<number, number>();
    for (const row of this.rollouts) {
      const segment = leafOf.get(row);
      if (segment !== undefined && this.isSample(row)) leaves.set(segment, this.successOf(row));
    }
    const count = this.parents.length;
    const ends = new Int32Array(count);
    const open = new Uint8Array(count);
    const branches = new Int32Array(count);
    for (let i = count - 1; i >= 0; i--) {
      if (leaves.has(i)) ends[i]! += 1;
      if (branches[i] === 0 && !leaves.has(i)) open[i] = 1;
      const parent = this.parents[i]!;
      if (parent === NONE) continue;
      branches[parent]! += 1;
      ends[parent]! += ends[i]!;
      if (open[i] === 1) open[parent] = 1;
    }
    const place = new Int32Array(count).fill(NONE);
    const parents: number[] = [];
    for (let i = 0; i < count; i++) {
      const parent = this.parents[i]!;
      if (parent === NONE && ends[i] === 0) continue;
      if (parent === NONE && open[i] === 1) return null;
      if (parent !== NONE && place[parent] === NONE) continue;
      place[i] = parents.length;
      parents.push(parent === NONE ? NONE : place[parent]!);
    }
    const placed = [...leaves].filter(([segment]) => place[segment] !== NONE);
    return {
      parents,
      leaves: placed.map(([segment]) => place[segment]!),
      successes: placed.map(([, success]) => success),
    };
  }

  private ownerOf(k: number): number {
    const row = this.nodes.rows[k]!;
    return this.incarnation.nodes.chunk(row)!.rollout.get(row & CHUNK_MASK);
  }

  private lengthOf(k: number): number {
    const row = this.nodes.rows[k]!;
    return this.incarnation.nodes.chunk(row)!.length.get(row & CHUNK_MASK);
  }

  private versionOf(k: number): number {
    const row = this.nodes.rows[k]!;
    return this.incarnation.nodes.chunk(row)!.policyVersion.get(row & CHUNK_MASK);
  }

  private decisionHandle(k: number): number {
    const row = this.nodes.rows[k]!;
    const own = this.incarnation.nodes.chunk(row)!.decision?.get(row & CHUNK_MASK) ?? NONE;
    if (own !== NONE) return own;
    const owner = this.ownerOf(k);
    return this.incarnation.rollouts.chunk(owner)?.decision?.get(owner & CHUNK_MASK) ?? NONE;
  }

  private isSample(row: number): boolean {
    const chunk = this.incarnation.rollouts.chunk(row);
    return chunk !== null && this.results.isSample(chunk, row & CHUNK_MASK);
  }

  private successOf(row: number): number {
    const chunk = this.incarnation.rollouts.chunk(row)!;
    const i = row & CHUNK_MASK;
    if (this.threshold === null) return this.results.successOf(chunk, i);
    return this.results.rewardOf(chunk, i) >= this.threshold ? 1 : 0;
  }
}
