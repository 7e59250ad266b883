import type { BranchingMethod, Chain, ForkDecision } from '../../methods/branching/branching';
import type { Parameters } from '../../methods/parameters';
import { Refusal } from '../../methods/refusal';
import { PIECES, endsSentence } from '../tasks/vocabulary';
import type { DecisionDraft } from './decisionDrafts';
import { endedByItself, isTrain, subtree, type GroupRecord, type NodeRecord } from './records';

/** Fork points that were not chosen, named in a decision. */
const NAMED_ALTERNATIVES = 8;

/** First token of each sentence of a node. */
function sentenceStarts(node: NodeRecord): number[] {
  const starts: number[] = [];
  let begins = true;
  for (let i = 0; i < node.tokens.length; i++) {
    const token = node.tokens.ids[i]!;
    // The end token stands for no text, so it begins no sentence of its own.
    if (begins && PIECES[token] !== '') starts.push(i);
    begins = endsSentence(token);
  }
  return starts;
}

const chainOf = (node: NodeRecord, index: ReadonlyMap<NodeRecord, number>): Chain => {
  const { tokens } = node;
  const parent = node.parent ? index.get(node.parent) : undefined;
  return {
    tokens: tokens.length,
    from: parent === undefined ? undefined : { chain: parent, at: node.at },
    entropies: [...tokens.entropy.subarray(0, tokens.length)],
    logprobs: [...tokens.logProb.subarray(0, tokens.length)],
    sentenceStarts: sentenceStarts(node),
    texts: [...tokens.ids.subarray(0, tokens.length)].map((id) => PIECES[id] ?? ''),
    success: node.rollout.verdict?.reward === 1,
    reward: node.rollout.verdict?.reward ?? 0,
  };
};

/** Rollouts that start at the prompt when `count` are planned; the rest is for forks. */
export function rootsOf(method: BranchingMethod, parameters: Parameters, count: number): number {
  return Math.min(count, method.rootRollouts(parameters) ?? count);
}

export interface PlannedFork {
  readonly node: NodeRecord;
  readonly at: number;
  readonly width: number;
  readonly draft: DecisionDraft;
}

export interface Expansion {
  readonly forks: readonly PlannedFork[];
  readonly done: boolean;
}

/**
 * Asks the branching rule where to fork the group’s ended rollouts, within its reserve.
 *
 * @param room most continuations below a node that a person capped or holds; Infinity where nobody did.
 */
export function expandGroup(
  group: GroupRecord,
  method: BranchingMethod,
  parameters: Parameters,
  policyVersion: number,
  room: (node: NodeRecord) => number,
): Expansion {
  const nodes = group.rollouts
    .filter((rollout) => isTrain(rollout) && rollout.command === null && endedByItself(rollout))
    .map(({ node }) => node);
  const index = new Map(nodes.map((node, i) => [node, i]));
  const usable = nodes.filter((node) => node.parent === null || index.has(node.parent));
  usable.forEach((node, i) => index.set(node, i));
  if (usable.length === 0) return { forks: [], done: true };
  let answer: ReturnType<BranchingMethod['decide']>;
  try {
    answer = method.decide(
      { chains: usable.map((node) => chainOf(node, index)), round: group.expansions },
      parameters,
    );
  } catch (error) {
    if (error instanceof Refusal) return { forks: [], done: true };
    throw error;
  }
  let left = group.reserve;
  const used = new Map<NodeRecord, number>();
  const chosen: { fork: ForkDecision; node: NodeRecord; width: number }[] = [];
  const passed: { fork: ForkDecision; node: NodeRecord }[] = [];
  for (const fork of answer.forks) {
    const node = usable[fork.chain]!;
    const free = room(node) - (used.get(node) ?? 0);
    const width = Math.max(0, Math.min(fork.width, left, free));
    if (width === 0) {
      passed.push({ fork, node });
      continue;
    }
    left -= width;
    used.set(node, (used.get(node) ?? 0) + width);
    chosen.push({ fork, node, width });
  }
  const alternatives = passed.slice(0, NAMED_ALTERNATIVES).map(({ fork, node }) => ({
    subject: node.id,
    label: `token ${fork.at}`,
    score: Object.values(fork.numbers)[0] ?? 0,
  }));
  const forks = chosen.map(({ fork, node, width }): PlannedFork => {
    const cut =
      width < fork.width
        ? ` Cut from ${fork.width} to ${width}: the group’s budget is ${group.planned}.`
        : '';
    return {
      node,
      at: fork.at,
      width,
      draft: {
        kind: 'fork',
        method: method.id,
        command: null,
        sentence: `${fork.reason}${cut}`,
        body: {
          parameters,
          shared: { ...answer.shared, budget: group.planned, reserve: group.reserve },
          subjects: { type: 'node', ids: [node.id] },
          inputs: { at: [fork.at], length: [node.tokens.length], wished: [fork.width] },
          outcome: { children: [width] },
          reasonCodes: [fork.reasonCode],
          reasons: [`${fork.reason}${cut}`],
          numbers: Object.fromEntries(Object.entries(fork.numbers).map(([name, value]) => [name, [value]])),
          ...(alternatives.length > 0 ? { alternatives } : {}),
          position: method.position,
          children: method.children,
          samplingBefore: { temperature: node.rollout.temperature },
          samplingAfter: { temperature: group.temperature },
          versionBefore: node.versions[node.versions.length - 1]![1],
          versionAfter: policyVersion,
        },
      },
    };
  });
  return { forks, done: answer.done };
}

/** Continuations that a rule launched or decided on below a node. */
export function forkedBelow(group: GroupRecord, node: NodeRecord): number {
  const below = new Set(subtree(node));
  const waiting = group.forks.reduce((sum, fork) => (below.has(fork.node) ? sum + fork.left : sum), 0);
  return waiting + [...below].filter((other) => other !== node && other.rollout.command === null).length;
}
