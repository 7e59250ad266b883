import { packNumbers } from '../../protocol/panels/numbers';
import type { ViewName, Views } from '../../protocol/panels/views';
import type { EventName } from '../../protocol/wire/events';
import { messageOf } from '../lifecycle';
import type { Clock } from './clock';
import { fingerprint } from './fingerprint';
import { ownBuffers } from './ownedBuffers';
import type { RunModel } from './runModel';

/** Four pictures a second at most. */
const INTERVAL_MS = 250;

const OF_STEPS: readonly EventName[] = ['runState', 'stepOpened', 'stepPhase', 'stepClosed'];
const OF_GROUPS: readonly EventName[] = ['groupOpened', 'groupPlanned', 'groupClosed'];
const OF_ROLLOUTS: readonly EventName[] = ['rolloutOpened', 'rolloutClosed', 'rolloutDiscarded'];
const OF_NODES: readonly EventName[] = [
  'nodeOpened',
  'nodeUpdated',
  'nodeSeries',
  'nodeClosed',
  'credit',
  'attachment',
];
const OF_PROMPTS: readonly EventName[] = ['promptDeclared', 'promptStatistics'];

/** Kinds of events that can change a view; null: any can. */
const CHANGED_BY: { readonly [V in ViewName]: ReadonlySet<EventName> | null } = {
  overview: null,
  tree: new Set([
    ...OF_STEPS,
    ...OF_GROUPS,
    ...OF_ROLLOUTS,
    ...OF_NODES,
    ...OF_PROMPTS,
    'decision',
    'steering',
  ]),
  budgets: new Set([
    ...OF_STEPS,
    ...OF_GROUPS,
    ...OF_ROLLOUTS,
    ...OF_PROMPTS,
    'decision',
    'steering',
    'nodeClosed',
  ]),
  passAtK: new Set(['evaluation', 'promptDeclared', 'groupClosed', 'rolloutClosed', 'stepClosed']),
  steps: new Set([...OF_STEPS, ...OF_GROUPS, ...OF_ROLLOUTS, 'evaluation']),
  prompts: new Set([...OF_STEPS, ...OF_GROUPS, ...OF_ROLLOUTS, ...OF_PROMPTS, 'steering', 'decision']),
  steering: new Set(['steering']),
};

interface Subscription {
  readonly view: ViewName;
  readonly params: Views[ViewName]['params'];
  version: number;
  /** The other end has drawn the last version. */
  acked: boolean;
  dirty: boolean;
  sent: number | null;
}

export interface PostedView {
  readonly subscription: number;
  readonly version: number;
  readonly data: unknown;
}

/**
 * Subscriptions of one run. A view is worked out when something that it shows changed, at most four times a
 * second, and only after its subscriber has acknowledged the last one, so that a slow panel gets fewer pictures
 * instead of a queue of them.
 */
export class ViewHub {
  private readonly subscriptions = new Map<number, Subscription>();
  private cancelTick: (() => void) | null = null;
  private lastTick = -Infinity;

  constructor(
    private readonly model: RunModel,
    private readonly post: (view: PostedView, buffers: ArrayBuffer[]) => void,
    private readonly onError: (message: string) => void,
    private readonly clock: Clock,
  ) {}

  subscribe<V extends ViewName>(id: number, view: V, params: Views[V]['params']): void {
    const subscription = { view, params, version: 0, acked: true, dirty: true, sent: null };
    this.subscriptions.set(id, subscription);
    this.send(id, subscription);
  }

  unsubscribe(id: number): void {
    this.subscriptions.delete(id);
  }

  ack(id: number, version: number): void {
    const subscription = this.subscriptions.get(id);
    if (subscription?.version !== version) return;
    subscription.acked = true;
    if (subscription.dirty) this.schedule();
  }

  /** Events of these kinds were applied; null: anything may have changed. */
  changed(kinds: readonly EventName[] | null): void {
    let any = false;
    for (const subscription of this.subscriptions.values()) {
      const of = CHANGED_BY[subscription.view];
      if (kinds === null || of === null || kinds.some((kind) => of.has(kind))) subscription.dirty = true;
      any ||= subscription.dirty && subscription.acked;
    }
    if (any) this.schedule();
  }

  dispose(): void {
    this.cancelTick?.();
    this.subscriptions.clear();
  }

  private schedule(): void {
    if (this.cancelTick) return;
    const wait = Math.max(0, this.lastTick + INTERVAL_MS - this.clock.now());
    this.cancelTick = this.clock.after(wait, () => {
      this.cancelTick = null;
      this.lastTick = this.clock.now();
      for (const [id, subscription] of this.subscriptions) {
        if (subscription.dirty && subscription.acked) this.send(id, subscription);
      }
    });
  }

  private send(id: number, subscription: Subscription): void {
    subscription.dirty = false;
    let data: unknown;
    try {
      data = this.model.view(subscription.view, subscription.params);
    } catch (error) {
      this.onError(`view ${subscription.view}: ${messageOf(error)}`);
      return;
    }
    const print = fingerprint(data);
    if (print === subscription.sent) return;
    subscription.sent = print;
    subscription.acked = false;
    subscription.version++;
    const owned = ownBuffers(packNumbers(data));
    this.post({ subscription: id, version: subscription.version, data: owned.data }, owned.buffers);
  }
}
