import { ThemeColor, ThemeIcon, TreeItem, TreeItemCollapsibleState } from 'vscode';
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
  /** Run on click, with the row as its argument. */
  readonly command?: CommandId;
}

/** VS Code’s form of a row. Ids make it keep what is open and selected when rows change. */
export function treeItem(parts: ItemParts, argument: unknown): TreeItem {
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
    row.command = { command: parts.command, title: parts.label, arguments: [argument] };
  }
  return row;
}
