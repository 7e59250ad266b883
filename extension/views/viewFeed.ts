import type { ViewName, Views } from '../../protocol/panels/views';
import { Emitter, type Disposable } from '../lifecycle';
import type { AttachedRun } from '../runs/runRegistry';

/**
 * A live view of one run for a native tree: subscribed while the tree is visible, with the parameters it has now.
 * Its last data stays while new parameters are on their way, so that a tree does not flicker.
 */
export class ViewFeed<V extends ViewName> implements Disposable {
  private source: Disposable | null = null;
  private run: AttachedRun | null = null;
  private params: string | null = null;
  private last: Views[V]['data'] | null = null;
  private readonly changes = new Emitter<null>();
  readonly onDidChange = this.changes.event;

  constructor(private readonly view: V) {}

  get data(): Views[V]['data'] | null {
    return this.last;
  }

  /** What is to be shown; `run` null or not visible: nothing is asked for. */
  show(run: AttachedRun | null, params: Views[V]['params'], visible: boolean): void {
    const other = run?.client !== this.run?.client;
    const key = JSON.stringify(params);
    if (other) {
      this.last = null;
      this.changes.fire(null);
    }
    if (!other && key === this.params && (this.source !== null) === visible) return;
    this.run = run;
    this.params = key;
    this.source?.dispose();
    this.source = null;
    if (!run || !visible) return;
    this.source = run.client.subscribe(this.view, params, (data) => {
      this.last = data;
      this.changes.fire(null);
    });
  }

  dispose(): void {
    this.source?.dispose();
    this.source = null;
    this.changes.dispose();
  }
}
