import type { Batch } from '../../protocol/wire/batch';
import { BatchBuilder } from '../../protocol/wire/batchBuilder';
import type { EventFields } from '../../protocol/wire/event';
import { Rng } from '../../methods/random';

export const BATCH_EVENTS = 1_000;
const NODES_PER_ROLLOUT = 4;
const ROLLOUTS_PER_GROUP = 8;
const GROUPS_PER_STEP = 128;
/** Nodes that grow at the same time. */
const IN_FLIGHT = 512;

export interface Frames {
  /** Steps, groups and rollouts that the nodes belong to: sent before the clock starts. */
  readonly preamble: readonly Buffer[];
  /** The measured events as batches of the protocol, 1,000 a frame. */
  readonly columns: readonly Buffer[];
  /** The same events as objects with keys, 1,000 a frame. */
  readonly objects: readonly Buffer[];
  readonly events: number;
  readonly nodes: number;
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** What the job says of `nodes` nodes: 40 % opened, 40 % closed, 20 % credit, every column of the stream filled. */
export function makeFrames(nodes: number): Frames {
  const rng = Rng.from('ingest');
  const id = (): string => Array.from({ length: 18 }, () => LETTERS[rng.below(64)]!).join('');
  const figure = (scale: number): number => Math.round(rng.float() * scale * 1e4) / 1e4;
  const builder = new BatchBuilder();
  const frame = (method: string, params: unknown): Buffer =>
    Buffer.from(JSON.stringify({ jsonrpc: '2.0', method, params }));
  const rollouts: string[] = [];
  const preamble: Buffer[] = [];
  const take = (into: Buffer[]): void => {
    const batch: Batch | null = builder.take(t);
    if (batch) into.push(frame('events', batch));
  };
  let t = 0;
  const decisions: string[] = [];
  for (let step = 0; rollouts.length * NODES_PER_ROLLOUT < nodes; step++) {
    builder.add('stepOpened', t++, {
      step,
      policyVersion: step,
      planned: GROUPS_PER_STEP * ROLLOUTS_PER_GROUP,
    });
    decisions.push(id());
    for (let g = 0; g < GROUPS_PER_STEP; g++) {
      const group = id();
      builder.add('groupOpened', t, { group, prompt: `prompt-${g}`, step, planned: ROLLOUTS_PER_GROUP });
      for (let r = 0; r < ROLLOUTS_PER_GROUP && rollouts.length * NODES_PER_ROLLOUT < nodes; r++) {
        const rollout = id();
        rollouts.push(rollout);
        builder.add('rolloutOpened', t, { rollout, group, origin: 'sampled', use: 'train' });
      }
      if (builder.size > BATCH_EVENTS) take(preamble);
    }
  }
  take(preamble);

  const columns: Buffer[] = [];
  const objects: Buffer[] = [];
  let waiting: object[] = [];
  let events = 0;
  const say = <K extends 'nodeOpened' | 'nodeClosed' | 'credit'>(kind: K, fields: EventFields<K>): void => {
    t += 0.5;
    const seq = builder.add(kind, t, fields);
    waiting.push({ seq, t, kind, ...fields });
    events += 1;
    if (waiting.length < BATCH_EVENTS) return;
    take(columns);
    objects.push(frame('events', waiting));
    waiting = [];
  };
  const signatures = Array.from({ length: 1_000 }, id);
  const growing: { node: string; rollout: string; version: number }[] = [];
  const close = (): void => {
    const next = growing.splice(rng.below(growing.length), 1)[0]!;
    const length = 20 + rng.below(400);
    const { version } = next;
    say('nodeClosed', {
      node: next.node,
      length,
      ending: rng.below(10) === 0 ? 'truncated' : 'finished',
      entropy: figure(3),
      logProb: -figure(2),
      confidence: figure(1),
      trainShare: figure(1),
      repeats: figure(0.1),
      logProbGap: figure(0.01),
      versions:
        rng.below(10) === 0
          ? [
              [0, version],
              [length >> 1, version + 1],
            ]
          : [[0, version]],
    });
    if (rng.below(2) === 0) {
      say('credit', {
        node: next.node,
        rollout: next.rollout,
        rule: 'grpo',
        value: figure(1),
        advantage: figure(4) - 2,
      });
    }
  };
  let lastNode = '';
  for (let n = 0; n < nodes; n++) {
    const r = Math.floor(n / NODES_PER_ROLLOUT);
    const rollout = rollouts[r]!;
    const step = Math.floor(r / (GROUPS_PER_STEP * ROLLOUTS_PER_GROUP));
    const node = id();
    const isFirst = n % NODES_PER_ROLLOUT === 0;
    say('nodeOpened', {
      node,
      rollout,
      parent: isFirst ? null : lastNode,
      at: isFirst ? null : 20 + rng.below(400),
      kind: 'turn',
      origin: isFirst ? 'sampled' : 'forked',
      policyVersion: step,
      decision: decisions[step]!,
      marks: rng.below(16) === 0 ? 1 : 0,
      agent: `agent-${rng.below(4)}`,
      tool: `tool-${rng.below(8)}`,
      signature: signatures[rng.below(1_000)]!,
    });
    lastNode = node;
    growing.push({ node, rollout, version: step });
    if (growing.length >= IN_FLIGHT) close();
  }
  while (growing.length > 0) close();
  take(columns);
  if (waiting.length > 0) objects.push(frame('events', waiting));
  return { preamble, columns, objects, events, nodes };
}
