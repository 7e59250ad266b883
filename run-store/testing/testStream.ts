import { decodeBatch } from '../../protocol/wire/batch';
import { BatchBuilder } from '../../protocol/wire/batchBuilder';
import type { EventFields } from '../../protocol/wire/event';
import type { EventName } from '../../protocol/wire/events';
import { StringTable } from '../../protocol/wire/stringTable';
import type { IncarnationStart } from '../incarnation';
import { RunStore, type RunStoreOptions } from '../runStore';

/** A job for tests: what it says goes over the wire's text and back before the store gets it. */
export class TestStream {
  readonly store: RunStore;
  private builder = new BatchBuilder();
  private strings = new StringTable();
  /** ms since the incarnation's start. */
  now = 0;

  constructor(options: RunStoreOptions = {}, start: Partial<IncarnationStart> = {}) {
    this.store = new RunStore(options);
    this.begin(start);
  }

  begin(start: Partial<IncarnationStart> = {}): void {
    this.builder = new BatchBuilder();
    this.strings = new StringTable();
    this.now = 0;
    this.store.beginIncarnation(
      { number: 1, id: `life-${start.number ?? 1}`, startedAt: 1_000_000, successThreshold: 0.5, ...start },
      this.strings,
    );
  }

  add<K extends EventName>(kind: K, fields: EventFields<K>): this {
    this.now += 10;
    this.builder.add(kind, this.now, fields);
    return this;
  }

  /** Sends what was added as one batch. */
  flush(): this {
    const batch = this.builder.take(this.now);
    if (batch) this.store.apply(decodeBatch(JSON.parse(JSON.stringify(batch)), this.strings));
    return this;
  }

  step(step: number, planned = 0, policyVersion = step): this {
    return this.add('stepOpened', { step, policyVersion, planned });
  }

  endStep(step: number, seconds = 1, tokens = 0): this {
    return this.add('stepClosed', { step, policyVersion: step + 1, seconds, tokens });
  }

  group(group: string, prompt: string, step: number, planned: number): this {
    return this.add('groupOpened', { group, prompt, step, planned });
  }

  /** A rollout from the root with one node that has its name and `/n`. */
  rollout(rollout: string, group: string, fields: Partial<EventFields<'rolloutOpened'>> = {}): this {
    this.add('rolloutOpened', { rollout, group, origin: 'sampled', use: 'train', ...fields });
    return this.add('nodeOpened', {
      node: `${rollout}/n`,
      rollout,
      parent: fields.fromNode ?? null,
      at: fields.at ?? null,
      kind: 'tokens',
      origin: fields.origin ?? 'sampled',
    });
  }

  end(rollout: string, reward: number | null, fields: Partial<EventFields<'rolloutClosed'>> = {}): this {
    const length = fields.length ?? 10;
    this.add('nodeClosed', { node: `${rollout}/n`, length, ending: fields.ending ?? 'finished' });
    return this.add('rolloutClosed', { rollout, ending: 'finished', length, reward, ...fields });
  }

  /** A group with rollouts that end with these rewards, closed with right counts. */
  wholeGroup(group: string, prompt: string, step: number, rewards: readonly number[]): this {
    this.group(group, prompt, step, rewards.length);
    rewards.forEach((_, i) => this.rollout(`${group}.${i}`, group));
    rewards.forEach((reward, i) => this.end(`${group}.${i}`, reward));
    return this.closeGroup(group, { launched: rewards.length, finished: rewards.length });
  }

  closeGroup(group: string, fields: Partial<EventFields<'groupClosed'>> = {}): this {
    return this.add('groupClosed', {
      group,
      launched: 0,
      finished: 0,
      discarded: 0,
      killed: 0,
      carriedOver: 0,
      ...fields,
    });
  }
}
