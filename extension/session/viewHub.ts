import { packNumbers } from '../../protocol/panels/numbers';
import type { ViewName, Views } from '../../protocol/panels/views';
import { messageOf } from '../lifecycle';
import type { Clock } from './clock';
import { fingerprint } from './fingerprint';
import { ownBuffers } from './ownedBuffers';
import type { RunModel } from './runModel';

/** Four pictures a second at most. */
const INTERVAL_MS = 250;

interface Subscription {
  readonly view: ViewName;
  readonly params: Views[ViewName]['params'];
  version: number;
  /** The other end has drawn the last version. */
  acked: boolean;
  /** Revision of the model that was last looked at. */
  revision: number;
  /** Fingerprint of what was last sent. */
  sent: number | null;
  /** What the last try failed with, so that it is told once. */
  failure: string | null;
}

export interface PostedView {
  readonly subscription: number;
  readonly version: number;
  readonly data: unknown;
}

export interface ViewFailure {
  readonly subscription: number;
  readonly view: ViewName;
  readonly problem: string | null;
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
    /** The view of a subscription cannot be worked out, or (null) can again. */
    private readonly onFailure: (failure: ViewFailure) => void,
    private readonly clock: Clock,
  ) {}

  subscribe<V extends ViewName>(id: number, view: V, params: Views[V]['params']): void {
    const subscription = { view, params, version: 0, acked: true, revision: -1, sent: null, failure: null };
    this.subscriptions.set(id, subscription);
    this.send(id, subscription);
  }

  unsubscribe(id: number): void {
    const subscription = this.subscriptions.get(id);
    if (!this.subscriptions.delete(id) || !subscription) return;
    this.model.left(subscription.view, subscription.params);
  }

  ack(id: number, version: number): void {
    const subscription = this.subscriptions.get(id);
    if (subscription?.version !== version) return;
    subscription.acked = true;
    if (this.isDue(id, subscription)) this.schedule();
  }

  /** The model may have changed. */
  changed(): void {
    // With a tick to come there is nothing to find out now.
    if (this.cancelTick) return;
    for (const [id, subscription] of this.subscriptions) {
      if (!this.isDue(id, subscription)) continue;
      this.schedule();
      return;
    }
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
        if (this.isDue(id, subscription)) this.send(id, subscription);
      }
    });
  }

  private isDue(id: number, subscription: Subscription): boolean {
    const { acked, view, params, revision } = subscription;
    if (!acked) return false;
    try {
      return this.model.revision(view, params) !== revision;
    } catch (error) {
      this.failed(id, subscription, error);
      return false;
    }
  }

  private send(id: number, subscription: Subscription): void {
    const { view, params } = subscription;
    let data: unknown;
    try {
      subscription.revision = this.model.revision(view, params);
      data = this.model.view(view, params);
      this.told(id, subscription, null);
    } catch (error) {
      this.failed(id, subscription, error);
      // The last good picture stays; without one, "nothing to show" ends the wait.
      if (subscription.version > 0) return;
      data = null;
    }
    const print = fingerprint(data);
    if (print === subscription.sent) return;
    subscription.sent = print;
    subscription.acked = false;
    subscription.version++;
    const owned = ownBuffers(packNumbers(data));
    this.post({ subscription: id, version: subscription.version, data: owned.data }, owned.buffers);
  }

  private failed(id: number, subscription: Subscription, error: unknown): void {
    this.told(id, subscription, messageOf(error));
  }

  /** Once, however often the same is tried. */
  private told(id: number, subscription: Subscription, problem: string | null): void {
    if (problem === subscription.failure) return;
    subscription.failure = problem;
    this.onFailure({ subscription: id, view: subscription.view, problem });
  }
}
