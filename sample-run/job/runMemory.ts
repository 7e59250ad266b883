import type { Task } from '../tasks/taskSet';
import { isRunning, type GroupRecord, type NodeRecord, type RolloutRecord } from './records';

/** Groups, rollouts and nodes of the newest steps, by id. */
export class RunMemory {
  readonly groups = new Map<string, GroupRecord>();
  private readonly rollouts = new Map<string, RolloutRecord>();
  private readonly nodes = new Map<string, NodeRecord>();
  /** Groups of the step that runs. */
  current: GroupRecord[] = [];

  /** @param heldSteps steps whose tokens are kept. */
  constructor(private readonly heldSteps: number) {}

  openGroup(id: string, task: Task, step: number, temperature: number): GroupRecord {
    const group: GroupRecord = {
      id,
      task,
      step,
      rollouts: [],
      planned: 0,
      pending: 0,
      reserve: 0,
      forks: [],
      decision: null,
      expansions: 0,
      expanded: false,
      tokenCap: null,
      temperature,
      stopped: false,
      closed: false,
      nextIndex: 0,
    };
    this.groups.set(id, group);
    this.current.push(group);
    return group;
  }

  add(rollout: RolloutRecord): void {
    this.rollouts.set(rollout.id, rollout);
    this.nodes.set(rollout.node.id, rollout.node);
  }

  rollout(id: string): RolloutRecord | undefined {
    return this.rollouts.get(id);
  }

  node(id: string): NodeRecord | undefined {
    return this.nodes.get(id);
  }

  /** Every held node, oldest first. */
  allNodes(): IterableIterator<NodeRecord> {
    return this.nodes.values();
  }

  /** Open groups of a prompt. */
  openGroupsOf(prompt: string): GroupRecord[] {
    return this.current.filter((group) => group.task.id === prompt && !group.closed);
  }

  /** Forgets steps that are too old; what a probe still runs in is kept. */
  trim(step: number): void {
    for (const [id, group] of this.groups) {
      if (group.step > step - this.heldSteps) break;
      if (group.rollouts.some(isRunning)) continue;
      this.groups.delete(id);
      for (const rollout of group.rollouts) {
        this.rollouts.delete(rollout.id);
        this.nodes.delete(rollout.node.id);
      }
    }
  }
}
