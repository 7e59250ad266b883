import { zeroGradient } from '../../methods/credit/zeroGradient';
import type { GradientVerdict } from '../../methods/credit/zeroGradient';
import type { Ending, Origin, Use } from '../../protocol/wire/words';
import type { SamplerHandle } from '../policy/sampler';
import type { Task } from '../tasks/taskSet';
import type { Verdict } from '../tasks/verifier';
import type { TokenColumns } from './tokenColumns';

/** What the job remembers of the newest steps. Every rollout of this job owns exactly one node. */
export interface NodeRecord {
  readonly id: string;
  readonly rollout: RolloutRecord;
  readonly parent: NodeRecord | null;
  /** Position in the parent that this node begins instead of. */
  readonly at: number;
  readonly tokens: TokenColumns;
  /** Policy versions as [from position, version]. */
  readonly versions: [number, number][];
  readonly children: NodeRecord[];
  /** Bins of the entropy series that were published. */
  binsSent: number;
}

export interface RolloutRecord {
  readonly id: string;
  readonly group: GroupRecord;
  readonly node: NodeRecord;
  readonly use: Use;
  /** Counts in the group’s baseline. */
  readonly baseline: boolean;
  readonly origin: Origin;
  readonly decision: string | null;
  /** Steering request that made it. */
  readonly command: string | null;
  readonly temperature: number;
  /** Names its random stream; the same over restarts. */
  readonly key: string;
  /** Tokens of the path before its own node, prompt left out. */
  readonly prefix: readonly number[];
  handle: SamplerHandle | null;
  ending: Ending | null;
  verdict: Verdict | null;
  discarded: string | null;
  /** State that was last published as a span. */
  span: 'queued' | 'generating' | 'paused' | null;
}

export interface GroupRecord {
  readonly id: string;
  readonly task: Task;
  readonly step: number;
  readonly rollouts: RolloutRecord[];
  /** launched + pending + forks waiting + reserve, while nothing was given up. */
  planned: number;
  /** Launches from the prompt that were planned and not made. */
  pending: number;
  /** Rollouts that the branching rule may still spend. */
  reserve: number;
  /** Forks that were decided and not launched. */
  readonly forks: WaitingFork[];
  /** Decision that the pending launches come from. */
  decision: string | null;
  /** Rounds of branching made. */
  expansions: number;
  /** The branching rule has nothing more to say. */
  expanded: boolean;
  /** Most tokens that its rollouts may have used when another one is launched. */
  tokenCap: number | null;
  temperature: number;
  /** A person stopped it: nothing more is launched. */
  stopped: boolean;
  closed: boolean;
  nextIndex: number;
}

/** Continuations that a rule decided on. */
export interface WaitingFork {
  readonly node: NodeRecord;
  readonly at: number;
  readonly decision: string;
  left: number;
}

export const isRunning = (rollout: RolloutRecord): boolean => rollout.ending === null;

/** Ended by itself: kept or discarded. */
export const endedByItself = ({ ending }: RolloutRecord): boolean =>
  ending === 'finished' || ending === 'truncated';

/** Ended by itself and kept for training. */
export const isFinished = (rollout: RolloutRecord): boolean =>
  rollout.use === 'train' && rollout.discarded === null && endedByItself(rollout);

export const isTrain = (rollout: RolloutRecord): boolean => rollout.use === 'train';

export const tokensOf = (group: GroupRecord): number =>
  group.rollouts.reduce((sum, rollout) => sum + rollout.node.tokens.length, 0);

/** Own tokens after the prefix of the path: what the verifier reads. */
export function responseOf(rollout: RolloutRecord): number[] {
  const { tokens } = rollout.node;
  return [...rollout.prefix, ...tokens.ids.subarray(0, tokens.length)];
}

/** The path of a node up to and without position `at` of it, prompt left out. */
export function pathTo(node: NodeRecord, at: number): number[] {
  return [...node.rollout.prefix, ...node.tokens.ids.subarray(0, at)];
}

/** The node and everything that hangs on it. */
export function subtree(node: NodeRecord): NodeRecord[] {
  return [node, ...node.children.flatMap(subtree)];
}

/** Nodes of a path from the root to this node. */
export function ancestors(node: NodeRecord): NodeRecord[] {
  return node.parent ? [...ancestors(node.parent), node] : [node];
}

/** Whether the group gives a gradient, from the published rewards of its baseline. */
export function verdictOf(group: GroupRecord): GradientVerdict {
  const finished = group.rollouts.filter(isFinished);
  return zeroGradient({
    closed: group.closed,
    rewards: finished.filter(({ baseline }) => baseline).map(({ verdict }) => verdict?.reward ?? 0),
    trainedTokens: finished.reduce((sum, { node }) => sum + node.tokens.length, 0),
  });
}

/** Counts of the ledger, probes left out. Sound at any time. */
export function countGroup(group: GroupRecord): {
  launched: number;
  running: number;
  finished: number;
  discarded: number;
  killed: number;
} {
  const counts = { launched: 0, running: 0, finished: 0, discarded: 0, killed: 0 };
  for (const rollout of group.rollouts) {
    if (!isTrain(rollout)) continue;
    counts.launched++;
    if (isRunning(rollout)) counts.running++;
    else if (rollout.discarded !== null) counts.discarded++;
    else if (endedByItself(rollout)) counts.finished++;
    else counts.killed++;
  }
  return counts;
}
