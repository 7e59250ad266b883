import {
  EventEmitter,
  ThemeColor,
  ThemeIcon,
  TreeItem,
  TreeItemCollapsibleState,
  type TreeDataProvider,
} from 'vscode';
import type { CommandId } from '../commands';

export const icon = (name: string, color?: string): ThemeIcon =>
  color === undefined ? new ThemeIcon(name) : new ThemeIcon(name, new ThemeColor(color));

export interface ItemParts {
  readonly id: string;
  readonly label: string;
  readonly description?: string;
  readonly tooltip?: string;
  readonly icon?: TreeItem['iconPath'];
  readonly children?: 'open' | 'closed';
  /** For menus: words, each with a blank before and after it. */
  readonly context?: readonly string[];
  readonly command?: CommandId;
  readonly argument?: unknown;
}

/** A row. Ids make VS Code keep what is open and selected when rows change. */
export function item(parts: ItemParts): TreeItem {
  const states = {
    open: TreeItemCollapsibleState.Expanded,
    closed: TreeItemCollapsibleState.Collapsed,
    none: TreeItemCollapsibleState.None,
  };
  const row = new TreeItem(parts.label, states[parts.children ?? 'none']);
  row.id = parts.id;
  if (parts.description !== undefined) row.description = parts.description;
  if (parts.tooltip !== undefined) row.tooltip = parts.tooltip;
  if (parts.icon !== undefined) row.iconPath = parts.icon;
  if (parts.context) row.contextValue = ` ${parts.context.join(' ')} `;
  if (parts.command !== undefined) {
    row.command = { command: parts.command, title: parts.label, arguments: [parts.argument] };
  }
  return row;
}

/** A row changes at most once in this time. */
const INTERVAL_MS = 1_000;

/** A provider that is told of changes as often as they come and redraws once a second. */
export abstract class SlowProvider<Node> implements TreeDataProvider<Node> {
  private readonly emitter = new EventEmitter<undefined>();
  private timer: NodeJS.Timeout | undefined;
  private last = 0;
  readonly onDidChangeTreeData = this.emitter.event;

  abstract getTreeItem(node: Node): TreeItem;
  abstract getChildren(node?: Node): Node[];

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
      Math.max(50, this.last + INTERVAL_MS - Date.now()),
    );
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.emitter.dispose();
  }

  private draw(): void {
    this.last = Date.now();
    this.emitter.fire(undefined);
  }
}
