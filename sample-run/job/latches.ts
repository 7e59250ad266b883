import type { ControlState, Latch } from './controlState';
import { ancestors, type GroupRecord, type NodeRecord, type RolloutRecord } from './records';

/**
 * Latches of run, prompts and nodes: work goes on only where all three are open. Latches of nodes live as long as
 * their nodes; the others are part of the control state and outlive a restart.
 */
export class Latches {
  private readonly nodes = new Map<string, Latch>();
  private waiting: (() => void)[] = [];

  /** @param onRunChanged the run’s latch has closed or opened. */
  constructor(
    private readonly control: ControlState,
    private readonly onRunChanged: (closed: boolean, latch: Latch | null) => void,
  ) {}

  get run(): Latch | null {
    return this.control.runLatch;
  }

  /** Nothing is sampled, trained or evaluated. */
  get runClosed(): boolean {
    return this.control.runLatch?.closed === true;
  }

  /** No rollout is launched: the run is paused or drains. */
  get holdsLaunches(): boolean {
    const latch = this.control.runLatch;
    return latch !== null && (latch.closed || latch.mode === 'drain');
  }

  get heldPrompts(): number {
    return Object.keys(this.control.promptLatches).length;
  }

  setRun(latch: Latch | null): void {
    const before = this.control.runLatch;
    this.control.runLatch = latch;
    const closed = latch?.closed === true;
    if ((before?.closed === true) !== closed) this.onRunChanged(closed, latch);
    this.wake();
  }

  /** A pause that waited for this moment takes hold. */
  closeRun(): void {
    const latch = this.control.runLatch;
    if (latch && !latch.closed) this.setRun({ ...latch, closed: true });
  }

  prompt(prompt: string): Latch | null {
    return Object.hasOwn(this.control.promptLatches, prompt)
      ? (this.control.promptLatches[prompt] ?? null)
      : null;
  }

  setPrompt(prompt: string, latch: Latch | null): void {
    if (latch) this.control.promptLatches[prompt] = latch;
    else Reflect.deleteProperty(this.control.promptLatches, prompt);
    this.wake();
  }

  node(node: string): Latch | null {
    return this.nodes.get(node) ?? null;
  }

  setNode(node: string, latch: Latch | null): void {
    if (latch) this.nodes.set(node, latch);
    else this.nodes.delete(node);
    this.wake();
  }

  /** The rollout stands still between two tokens. */
  freezes(rollout: RolloutRecord): boolean {
    return (
      this.prompt(rollout.group.task.id)?.mode === 'now' ||
      (this.nodes.size > 0 && ancestors(rollout.node).some(({ id }) => this.nodes.get(id)?.mode === 'now'))
    );
  }

  /** The group launches nothing for now. */
  holdsGroup(group: GroupRecord): boolean {
    const latch = this.prompt(group.task.id);
    return latch !== null && latch.mode !== 'step-boundary';
  }

  /** Nothing is forked below the node by a rule. */
  holdsForks(node: NodeRecord): boolean {
    return this.nodes.size > 0 && ancestors(node).some(({ id }) => this.nodes.has(id));
  }

  /** Resolves at the next change of any latch, or of anything else that `wake` is called for. */
  change(): Promise<void> {
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  wake(): void {
    const waiting = this.waiting;
    this.waiting = [];
    for (const resolve of waiting) resolve();
  }
}
