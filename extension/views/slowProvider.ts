import { EventEmitter, type TreeDataProvider, type TreeItem } from 'vscode';
import type { Row } from './rowTree';
import { RowTree, type Drawn } from './rowTree';
import { treeItem, type ItemParts } from './treeParts';

export type ViewRow<Node> = Row<Node, ItemParts>;

export interface Listed<Node> {
  readonly node: Node;
  readonly parts: ItemParts;
}

/** A row changes at most once in this time. */
const INTERVAL_MS = 1_000;
/** Several changes at one moment are one. */
const TOGETHER_MS = 50;

/** A provider that is told of changes as often as they come and redraws, once a second, what looks different. */
export class SlowProvider<Node> implements TreeDataProvider<ViewRow<Node>> {
  private readonly emitter = new EventEmitter<ViewRow<Node> | ViewRow<Node>[] | undefined>();
  private readonly tree: RowTree<Node, ItemParts>;
  private timer: NodeJS.Timeout | undefined;
  private last = 0;
  readonly onDidChangeTreeData = this.emitter.event;

  /** @param list what stands below a node, in order; undefined: at the top. */
  constructor(list: (node: Node | undefined) => readonly Listed<Node>[]) {
    this.tree = new RowTree<Node, ItemParts>((node) =>
      list(node).map((one): Drawn<Node, ItemParts> => ({ ...one, id: one.parts.id })),
    );
  }

  getChildren(row?: ViewRow<Node>): ViewRow<Node>[] {
    return this.tree.childrenOf(row);
  }

  getTreeItem(row: ViewRow<Node>): TreeItem {
    return treeItem(row.parts, row);
  }

  /** Something changed. `now`: a person asked for it and waits. */
  changed(now = false): void {
    if (now) {
      clearTimeout(this.timer);
      this.timer = undefined;
      this.draw();
      return;
    }
    this.timer ??= setTimeout(
      () => {
        this.timer = undefined;
        this.draw();
      },
      Math.max(TOGETHER_MS, this.last + INTERVAL_MS - Date.now()),
    );
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.emitter.dispose();
  }

  private draw(): void {
    this.last = Date.now();
    const changed = this.tree.changes();
    if (changed === 'all') this.emitter.fire(undefined);
    else if (changed.length > 0) this.emitter.fire(changed);
  }
}
