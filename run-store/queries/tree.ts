import type { TreeParams, TreeView } from '../../protocol/panels/tree';
import type { Incarnation } from '../incarnation';
import type { RunStore } from '../runStore';
import { CATEGORY_COUNT, FINISHED } from '../ledger/categories';
import { CHUNK_MASK, NONE } from '../tables/chunks';
import { ROLLOUT_BASELINE, ROLLOUT_DISCARDED, ROLLOUT_REWARDED } from '../tables/rolloutTable';
import { type FoundGroup, authorOf, decisionOf, findGroup, findGroupOfPrompt, newestGroup } from './find';
import { isClosed, outcomeOf, rolloutsOf } from './groupFacts';
import { groupLedger } from './ledgerView';
import { successOf } from './stepClock';
import { forksOf } from './treeForks';
import { type TreeNodes, nodesOfRollouts, orderNodes } from './treeNodes';
import { entropySeries } from './treeSeries';
import { largestShare } from './treeShape';

/** The trees of one group. null: there is no such group, or its step is no longer in memory. */
export function treeView(store: RunStore, params: TreeParams): TreeView | null {
  const found = groupFor(store, params);
  return found ? treeOfGroup(found, params.rule) : null;
}

/** The group that the parameters mean, in memory or not. */
export function groupFor(store: RunStore, { group, prompt, step }: TreeParams): FoundGroup | null {
  if (group !== null) return findGroup(store, group);
  if (prompt !== null) return findGroupOfPrompt(store, prompt, step);
  return newestGroup(store, step);
}

function treeOfGroup({ incarnation, group }: FoundGroup, wanted: string | null): TreeView | null {
  const { groups, prompts, dictionary } = incarnation;
  const step = incarnation.steps[groups.step[group]!]!;
  if (step.released) return null;
  const rollouts = rolloutsOf(incarnation, group);
  const nodes = orderNodes(incarnation, nodesOfRollouts(incarnation, rollouts));
  const rules = incarnation.rules.map((code) => dictionary.text(code) ?? '');
  const rule = wanted !== null && rules.includes(wanted) ? wanted : (rules[0] ?? null);
  const ruleCode = rule === null ? 0 : dictionary.code(rule);
  const columns = nodeColumns(incarnation, rollouts, nodes, ruleCode);
  const prompt = groups.prompt[group]!;
  const gradient = isClosed(incarnation, group) ? groups.gradient[group]! : NONE;
  const series = entropySeries(incarnation, nodes);
  return {
    group: incarnation.text(groups.handle[group]!),
    prompt: prompts.ids[prompt]!,
    excerpt: prompts.facts[prompt]!.excerpt,
    step: step.number,
    policyVersion: step.policyVersion,
    closed: isClosed(incarnation, group),
    outcome: outcomeOf(incarnation, group),
    gradient: gradient === NONE ? null : gradient === 1,
    ledger: groupLedger(incarnation, group),
    decision: incarnation.textOrNull(groups.decision[group]!),
    rules,
    rule,
    ...rewards(incarnation, rollouts),
    // Clusters of leaves need their texts, which the store does not hold.
    differentBranches: NaN,
    leaves: groups.counts[group * CATEGORY_COUNT + FINISHED]!,
    largestShare: largestShare(nodes, columns.length),
    rollouts: rolloutColumns(incarnation, rollouts, nodes, columns, ruleCode),
    nodes: { ...columns, seriesFrom: series.from, seriesCount: series.count },
    bin: series.bin,
    series: series.values,
    forks: forksOf(incarnation, nodes, columns.rollout),
  };
}

/** Mean and standard deviation of the rewards in the baseline. */
function rewards(
  incarnation: Incarnation,
  rows: readonly number[],
): { meanReward: number; sdReward: number } {
  let n = 0;
  let mean = 0;
  let squares = 0;
  for (const row of rows) {
    const chunk = incarnation.rollouts.chunk(row)!;
    const i = row & CHUNK_MASK;
    if ((chunk.flags[i]! & ROLLOUT_REWARDED) === 0) continue;
    const reward = Number.isNaN(chunk.reward[i]!) ? chunk.success[i]! : chunk.reward[i]!;
    n += 1;
    const off = reward - mean;
    mean += off / n;
    squares += off * (reward - mean);
  }
  return n === 0
    ? { meanReward: NaN, sdReward: NaN }
    : { meanReward: mean, sdReward: Math.sqrt(squares / n) };
}

type NodeColumns = Omit<TreeView['nodes'], 'seriesFrom' | 'seriesCount'>;

function nodeColumns(
  incarnation: Incarnation,
  rollouts: readonly number[],
  nodes: TreeNodes,
  rule: number,
): NodeColumns {
  const count = nodes.rows.length;
  const indexOf = new Map(rollouts.map((row, k) => [row, k]));
  const id: string[] = [];
  const rollout = new Int32Array(count);
  const length = new Int32Array(count);
  const kind = new Uint8Array(count);
  const origin = new Uint8Array(count);
  const ending = new Int8Array(count);
  const entropy = new Float32Array(count);
  const logProb = new Float32Array(count);
  const value = new Float32Array(count);
  const policyVersion = new Int32Array(count);
  const marks = new Uint8Array(count);
  for (let k = 0; k < count; k++) {
    const row = nodes.rows[k]!;
    const chunk = incarnation.nodes.chunk(row)!;
    const i = row & CHUNK_MASK;
    const owner = incarnation.rollouts.chunk(chunk.rollout.get(i));
    const r = chunk.rollout.get(i) & CHUNK_MASK;
    id.push(incarnation.text(chunk.handle.get(i)));
    rollout[k] = indexOf.get(chunk.rollout.get(i)) ?? NONE;
    length[k] = chunk.length.get(i);
    kind[k] = chunk.kind[i]!;
    origin[k] = chunk.origin[i]!;
    // A job may close the rollout without closing its last node.
    ending[k] = chunk.ending[i] === NONE && owner ? owner.ending[r]! : chunk.ending[i]!;
    entropy[k] = chunk.entropy?.[i] ?? NaN;
    logProb[k] = chunk.logProb?.[i] ?? NaN;
    value[k] = creditOf(incarnation, chunk, i, rule, 'value');
    policyVersion[k] =
      chunk.policyVersion.get(i) === NONE && owner ? owner.version.get(r) : chunk.policyVersion.get(i);
    marks[k] = chunk.marks?.[i] ?? 0;
  }
  const { parent, at, start } = nodes;
  return {
    id,
    rollout,
    parent,
    at,
    start,
    length,
    kind,
    origin,
    ending,
    entropy,
    logProb,
    value,
    policyVersion,
    marks,
  };
}

interface Credited {
  readonly value: Float32Array | null;
  readonly advantage: Float32Array | null;
  readonly credits: ReadonlyMap<
    number,
    { readonly value: Float32Array; readonly advantage: Float32Array }
  > | null;
}

function creditOf(
  incarnation: Incarnation,
  chunk: Credited,
  i: number,
  rule: number,
  field: 'value' | 'advantage',
): number {
  const columns = incarnation.rules[0] === rule ? chunk : chunk.credits?.get(rule);
  return columns?.[field]?.[i] ?? NaN;
}

function rolloutColumns(
  incarnation: Incarnation,
  rows: readonly number[],
  nodes: TreeNodes,
  columns: NodeColumns,
  rule: number,
): TreeView['rollouts'] {
  const count = rows.length;
  const { dictionary } = incarnation;
  const firstNode = new Int32Array(count).fill(NONE);
  const lastNode = new Int32Array(count).fill(NONE);
  const end = new Int32Array(count);
  for (let k = 0; k < nodes.rows.length; k++) {
    const r = columns.rollout[k]!;
    if (r < 0) continue;
    const first = firstNode[r]!;
    if (first === NONE || nodes.start[k]! < nodes.start[first]!) firstNode[r] = k;
    const stop = nodes.start[k]! + columns.length[k]!;
    if (lastNode[r] === NONE || stop >= end[r]!) {
      lastNode[r] = k;
      end[r] = stop;
    }
  }
  const ending = new Int8Array(count);
  const reward = new Float32Array(count);
  const success = new Int8Array(count);
  const advantage = new Float32Array(count);
  const use = new Uint8Array(count);
  const inBaseline = new Uint8Array(count);
  const id: string[] = [];
  const discarded: (string | null)[] = [];
  const reason: (string | null)[] = [];
  const decision: (string | null)[] = [];
  const author: (string | null)[] = [];
  rows.forEach((row, k) => {
    const chunk = incarnation.rollouts.chunk(row)!;
    const i = row & CHUNK_MASK;
    const flags = chunk.flags[i]!;
    const handle = chunk.decision?.get(i) ?? NONE;
    id.push(incarnation.text(chunk.handle.get(i)));
    ending[k] = chunk.ending[i]!;
    reward[k] = chunk.reward[i]!;
    success[k] = successOf(incarnation, chunk, i);
    const own = creditOf(incarnation, chunk, i, rule, 'advantage');
    advantage[k] = Number.isNaN(own) ? leafAdvantage(incarnation, nodes.rows[lastNode[k]!], rule) : own;
    use[k] = chunk.use[i]!;
    inBaseline[k] = Number((flags & ROLLOUT_BASELINE) !== 0);
    discarded.push(
      (flags & ROLLOUT_DISCARDED) === 0 ? null : (dictionary.text(chunk.discardReason?.[i] ?? 0) ?? 'other'),
    );
    reason.push(dictionary.text(chunk.reason?.[i] ?? 0));
    decision.push(incarnation.textOrNull(handle));
    author.push(authorOf(incarnation, decisionOf(incarnation, handle)));
  });
  return {
    id,
    ending,
    reward,
    success,
    advantage,
    end,
    use,
    inBaseline,
    discarded,
    reason,
    decision,
    author,
    firstNode,
  };
}

/** A rule that credits nodes says of the rollout what it says of its last node. */
function leafAdvantage(incarnation: Incarnation, node: number | undefined, rule: number): number {
  const chunk = node === undefined ? null : incarnation.nodes.chunk(node);
  return chunk ? creditOf(incarnation, chunk, node! & CHUNK_MASK, rule, 'advantage') : NaN;
}
