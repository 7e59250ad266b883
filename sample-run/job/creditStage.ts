import { Refusal } from '../../methods/refusal';
import type { Publisher } from '../server/publisher';
import type { TrainedRollout } from '../training/grpoTrainer';
import type { MethodChoice } from './controlState';
import { creditOf } from './methodTable';
import { binned, short } from './nodeText';
import { ancestors, isFinished, type GroupRecord, type NodeRecord, type RolloutRecord } from './records';
import { groupTree, tokenCredits, type GroupTree, type TokenCredit } from './rewardTree';
import { SERIES_BIN } from './runner';

/** Rules whose advantages belong to blocks, so that every token is trained once. */
const BLOCKWISE: ReadonlySet<string> = new Set(['datpo']);

/**
 * Advantages of a closed group by the run’s credit rule, published as `credit` events, and what the trainer learns
 * from. A group without gradient gives nothing to train on.
 */
export function creditGroup(
  group: GroupRecord,
  choice: MethodChoice,
  publisher: Publisher,
): TrainedRollout[] {
  const { method, parameters } = creditOf(choice);
  const inBaseline = groupTree(group, ({ baseline }) => baseline);
  if (inBaseline.rollouts.length < 2) return [];
  let credits: Map<NodeRecord, TokenCredit>;
  try {
    const credit = method.apply(inBaseline.tree, parameters);
    credits = tokenCredits(inBaseline, credit, !BLOCKWISE.has(method.id));
    inBaseline.rollouts.forEach((rollout, i) => {
      publisher.add('credit', {
        rollout: rollout.id,
        rule: method.id,
        value: rollout.verdict?.reward,
        advantage: short(credit.leafAdvantages[i]!),
      });
    });
    publishNodes(inBaseline, credit.blockValues, credits, method.id, publisher);
  } catch (error) {
    if (error instanceof Refusal) return [];
    throw error;
  }
  const rewards = inBaseline.tree.rewards;
  for (const rollout of group.rollouts) {
    if (isFinished(rollout) && !rollout.baseline) {
      creditOutsider(rollout, rewards, method.id, publisher, credits);
    }
  }
  return group.rollouts.filter(isFinished).flatMap((rollout) => {
    const credit = credits.get(rollout.node);
    return credit ? [trained(rollout, credit)] : [];
  });
}

/** Nodes of a group with forks: value of the state they begin in, mean advantage, and its course where it varies. */
function publishNodes(
  { tree, blocks }: GroupTree,
  values: readonly number[],
  credits: ReadonlyMap<NodeRecord, TokenCredit>,
  rule: string,
  publisher: Publisher,
): void {
  if (tree.parents.every((parent) => parent < 0)) return;
  const first = new Map<NodeRecord, number>();
  const pieces = new Map<NodeRecord, number>();
  blocks.forEach(({ node }, b) => {
    if (!first.has(node)) first.set(node, b);
    pieces.set(node, (pieces.get(node) ?? 0) + 1);
  });
  for (const [node, b] of first) {
    const advantages = credits.get(node)?.advantages ?? new Float64Array(0);
    const sum = advantages.reduce((total, advantage) => total + advantage, 0);
    publisher.add('credit', {
      node: node.id,
      rule,
      value: short(values[b]!),
      advantage: advantages.length > 0 ? short(sum / advantages.length) : null,
    });
    if ((pieces.get(node) ?? 0) < 2) continue;
    const { mean, greatest } = binned(advantages, 0, advantages.length, SERIES_BIN);
    publisher.add('nodeSeries', {
      node: node.id,
      field: 'advantage',
      bin: SERIES_BIN,
      from: 0,
      mean,
      greatest,
    });
  }
}

/** A rollout outside the baseline is held against it: (r − mean) / deviation of the baseline’s rewards. */
function creditOutsider(
  rollout: RolloutRecord,
  rewards: readonly number[],
  rule: string,
  publisher: Publisher,
  credits: Map<NodeRecord, TokenCredit>,
): void {
  const mean = rewards.reduce((sum, reward) => sum + reward, 0) / rewards.length;
  const squares = rewards.reduce((sum, reward) => sum + (reward - mean) ** 2, 0);
  const deviation = Math.sqrt(squares / (rewards.length - 1));
  if (deviation === 0) return;
  const advantage = ((rollout.verdict?.reward ?? 0) - mean) / deviation;
  const { tokens } = rollout.node;
  credits.set(rollout.node, {
    advantages: new Float64Array(tokens.length).fill(advantage),
    weights: Float64Array.from(tokens.sampled.subarray(0, tokens.length)),
  });
  publisher.add('credit', {
    rollout: rollout.id,
    rule,
    value: rollout.verdict?.reward,
    advantage: short(advantage),
  });
}

/** The rollout’s whole path, of which only its own node is trained: every other node belongs to another rollout. */
function trained(rollout: RolloutRecord, { advantages, weights }: TokenCredit): TrainedRollout {
  const { task } = rollout.group;
  const path = ancestors(rollout.node);
  const before = rollout.prefix.length;
  const own = rollout.node.tokens;
  const size = before + own.length;
  const logProbs = new Float64Array(size);
  const allAdvantages = new Float64Array(size);
  const allWeights = new Float64Array(size);
  let at = 0;
  path.forEach((node, i) => {
    const end = path[i + 1]?.at ?? node.tokens.length;
    logProbs.set(node.tokens.logProb.subarray(0, end), at);
    at += end;
  });
  allAdvantages.set(advantages, before);
  allWeights.set(weights, before);
  return {
    tokens: [...task.tokens, ...rollout.prefix, ...own.ids.subarray(0, own.length)],
    promptLength: task.tokens.length,
    logProbs,
    advantages: allAdvantages,
    weights: allWeights,
    temperature: rollout.temperature,
  };
}
