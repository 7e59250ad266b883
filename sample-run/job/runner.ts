import type { Ending, Origin, Use } from '../../protocol/wire/words';
import { NODE_MARKS } from '../../protocol/wire/words';
import type { Sampler } from '../policy/sampler';
import type { Publisher } from '../server/publisher';
import { END_TOKEN } from '../tasks/vocabulary';
import { verify } from '../tasks/verifier';
import { MAX_RESPONSE_TOKENS } from '../training/samplePrompts';
import { nodeId, rolloutId } from './ids';
import { binned, short, textRecord } from './nodeText';
import {
  isRunning,
  pathTo,
  responseOf,
  type GroupRecord,
  type NodeRecord,
  type RolloutRecord,
} from './records';
import { ALTERNATIVES, TokenColumns } from './tokenColumns';

/** Tokens of a bin of the entropy series. */
export const SERIES_BIN = 8;
/** Least milliseconds between two updates of a node. */
const UPDATE_MS = 250;

export interface LaunchSpec {
  readonly group: GroupRecord;
  readonly use: Use;
  readonly origin: Origin;
  readonly from: { readonly node: NodeRecord; readonly at: number } | null;
  readonly decision: string | null;
  readonly command: string | null;
  readonly baseline: boolean;
  readonly temperature: number;
  /** Tokens that a person wrote at the start of the node. */
  readonly written?: readonly number[];
}

export interface RunnerView {
  /** Stands still for now. */
  frozen(rollout: RolloutRecord): boolean;
  /** The run is paused. */
  paused(): boolean;
  ended(rollout: RolloutRecord): void;
}

/** Samples all live rollouts, a token of each a round, and publishes what they do. */
export class Runner {
  policyVersion = 0;
  /** Tokens sampled since the start, probes included. */
  tokens = 0;
  private readonly live = new Set<RolloutRecord>();
  private readonly opened = new Map<RolloutRecord, number>();
  private readonly updateEvery: number;
  private rounds = 0;

  constructor(
    private readonly sampler: Sampler,
    private readonly publisher: Publisher,
    pace: number,
    private readonly view: RunnerView,
  ) {
    // Counted in rounds, not in time, so that two runs with one seed publish the same events.
    this.updateEvery = pace > 0 ? Math.max(1, Math.ceil(UPDATE_MS / pace)) : Infinity;
  }

  get running(): ReadonlySet<RolloutRecord> {
    return this.live;
  }

  /** Opens a rollout; its first token comes with the next round. */
  launch(spec: LaunchSpec): RolloutRecord {
    const { group, from, use, origin, decision, command, baseline, temperature } = spec;
    const index = group.nextIndex++;
    const prefix = from ? pathTo(from.node, from.at) : [];
    const purpose = use === 'probe' ? 'probe/' : '';
    const rollout: RolloutRecord = {
      id: rolloutId(group.id, index),
      group,
      use,
      baseline,
      origin,
      decision,
      command,
      temperature,
      prefix,
      key: `${purpose}${group.step}/${group.task.id}/${index}`,
      handle: null,
      ending: null,
      verdict: null,
      discarded: null,
      span: null,
      node: {
        id: nodeId(group.id, index),
        // Closed below: a rollout and its node know each other.
        get rollout(): RolloutRecord {
          return rollout;
        },
        parent: from?.node ?? null,
        at: from?.at ?? 0,
        tokens: new TokenColumns(),
        versions: [[0, this.policyVersion]],
        children: [],
        binsSent: 0,
      },
    };
    from?.node.children.push(rollout.node);
    group.rollouts.push(rollout);
    const at = from ? from.at : null;
    this.publisher.add('rolloutOpened', {
      rollout: rollout.id,
      group: group.id,
      fromNode: from?.node.id,
      at,
      origin,
      use,
      baseline,
      decision,
    });
    const marks =
      (origin === 'edited' ? NODE_MARKS.edited : 0) | (origin === 'hinted' ? NODE_MARKS.hinted : 0);
    this.publisher.add('nodeOpened', {
      node: rollout.node.id,
      rollout: rollout.id,
      parent: from?.node.id,
      at,
      kind: 'tokens',
      origin,
      policyVersion: this.policyVersion,
      decision: from ? decision : null,
      marks: marks || null,
    });
    this.write(rollout, spec.written ?? []);
    this.live.add(rollout);
    this.opened.set(rollout, this.rounds);
    this.span(rollout, this.view.paused() || this.view.frozen(rollout) ? 'paused' : 'generating');
    if (rollout.node.tokens.length > 0) this.publishGrowth(rollout);
    return rollout;
  }

  /**
   * Draws one token for each live rollout that may go on.
   *
   * @returns rollouts that got one.
   */
  round(may: (rollout: RolloutRecord) => boolean = () => true): number {
    const moving: RolloutRecord[] = [];
    for (const rollout of this.live) {
      if (this.view.frozen(rollout)) this.span(rollout, 'paused');
      else if (may(rollout)) moving.push(rollout);
    }
    if (moving.length === 0) return 0;
    this.rounds++;
    const sampled = this.sampler.step(moving.map((rollout) => this.handleOf(rollout)));
    moving.forEach((rollout, i) => {
      this.span(rollout, 'generating');
      const { tokens, versions } = rollout.node;
      if (versions[versions.length - 1]![1] !== this.policyVersion) {
        versions.push([tokens.length, this.policyVersion]);
      }
      tokens.push(sampled[i]!, true);
      this.tokens++;
      if (sampled[i]!.token === END_TOKEN) this.end(rollout, 'finished');
      else if (rollout.prefix.length + tokens.length >= MAX_RESPONSE_TOKENS) this.end(rollout, 'truncated');
      else if ((this.rounds - this.opened.get(rollout)!) % this.updateEvery === 0)
        this.publishGrowth(rollout);
    });
    return moving.length;
  }

  /** Says of all live rollouts that they stand still, or that they go on. */
  markPaused(paused: boolean): void {
    for (const rollout of this.live) {
      this.span(rollout, paused || this.view.frozen(rollout) ? 'paused' : 'generating');
    }
  }

  /** The weights have changed: what is under way goes on with the new ones. */
  weightsChanged(policyVersion: number): void {
    this.policyVersion = policyVersion;
    for (const rollout of this.live) if (rollout.handle !== null) this.sampler.refresh([rollout.handle]);
  }

  /** Ends a rollout, by itself or by a rule or person. Of one that ended before nothing changes. */
  end(
    rollout: RolloutRecord,
    ending: Ending,
    reason: string | null = null,
    decision: string | null = null,
  ): void {
    if (!isRunning(rollout)) return;
    const { node } = rollout;
    rollout.ending = ending;
    this.live.delete(rollout);
    this.opened.delete(rollout);
    if (rollout.handle !== null) this.sampler.close(rollout.handle);
    rollout.handle = null;
    node.tokens.seal();
    this.publishBins(node, true);
    const trainShare = rollout.use === 'train' ? node.tokens.sampledShare : 0;
    this.publisher.addNodeClosed(
      {
        node: node.id,
        length: node.tokens.length,
        ending,
        entropy: node.tokens.meanEntropy,
        logProb: node.tokens.meanLogProb,
        trainShare: short(trainShare),
        versions: node.versions.length > 1 ? node.versions : null,
      },
      textRecord(node),
    );
    const judged = ending === 'finished' || ending === 'truncated';
    if (judged) rollout.verdict = verify(rollout.group.task.problem, responseOf(rollout));
    this.publisher.add('rolloutClosed', {
      rollout: rollout.id,
      ending,
      length: node.tokens.length,
      success: rollout.verdict ? rollout.verdict.reward === 1 : null,
      reward: rollout.verdict?.reward,
      reason,
      decision,
      versions: node.versions.length > 1 ? node.versions : null,
    });
    this.view.ended(rollout);
  }

  private handleOf(rollout: RolloutRecord): number {
    const { task } = rollout.group;
    rollout.handle ??= this.sampler.open([...task.tokens, ...responseOf(rollout)], {
      key: rollout.key,
      temperature: rollout.temperature,
    });
    return rollout.handle;
  }

  /** Puts a person’s tokens at the start of the node, with what the policy makes of them. */
  private write(rollout: RolloutRecord, written: readonly number[]): void {
    const { task } = rollout.group;
    for (const token of written) {
      const handle = this.sampler.open([...task.tokens, ...responseOf(rollout)], {
        key: rollout.key,
        temperature: rollout.temperature,
      });
      const probabilities = this.sampler.probabilities(handle);
      this.sampler.close(handle);
      const entropy = probabilities.reduce((sum, p) => (p > 0 ? sum - p * Math.log(p) : sum), 0);
      const alternatives = [...probabilities]
        .map((probability, id) => ({ token: id, probability }))
        .sort((a, b) => b.probability - a.probability)
        .slice(0, ALTERNATIVES);
      const logProb = Math.log(Math.max(probabilities[token] ?? 0, Number.MIN_VALUE));
      rollout.node.tokens.push({ token, logProb, entropy, alternatives }, false);
    }
  }

  private span(rollout: RolloutRecord, state: 'paused' | 'generating'): void {
    if (rollout.span === state) return;
    rollout.span = state;
    this.publisher.add('rolloutSpan', {
      rollout: rollout.id,
      state,
      policyVersion: this.policyVersion,
      worker: 'cpu',
    });
  }

  private publishGrowth({ node }: RolloutRecord): void {
    this.publisher.add('nodeUpdated', {
      node: node.id,
      length: node.tokens.length,
      entropy: node.tokens.meanEntropy,
      logProb: node.tokens.meanLogProb,
    });
    this.publishBins(node, false);
  }

  /** Appends full bins of the entropy series, and at the end the last short one. */
  private publishBins(node: NodeRecord, last: boolean): void {
    const { tokens } = node;
    const from = node.binsSent * SERIES_BIN;
    const to = last ? tokens.length : tokens.length - (tokens.length % SERIES_BIN);
    if (to <= from) return;
    const { mean, greatest } = binned(tokens.entropy, from, to, SERIES_BIN);
    this.publisher.add('nodeSeries', {
      node: node.id,
      field: 'entropy',
      bin: SERIES_BIN,
      from: node.binsSent,
      mean,
      greatest,
    });
    node.binsSent += mean.length;
  }
}
