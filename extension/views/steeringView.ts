import { window, type TreeItem, type TreeView } from 'vscode';
import type { SteeringRow } from '../../protocol/panels/overview';
import { t } from '../l10n';
import { DisposableStore, type Disposable } from '../lifecycle';
import type { ShownRun } from '../runs/shownRun';
import type { PendingCommands } from '../steering/pendingCommands';
import { steeringRow } from './steeringRows';
import { SlowProvider, icon, item } from './treeParts';
import { ViewFeed } from './viewFeed';

const LIMIT = 200;

const COLORS: Readonly<Record<string, string>> = {
  check: 'charts.green',
  'circle-slash': 'editorWarning.foreground',
  sync: 'charts.blue',
};

/**
 * The steering record of the shown run. It is fed also while it is hidden: what is pending is settled by the events
 * that stand in it.
 */
export class SteeringView extends SlowProvider<SteeringRow> implements Disposable {
  private readonly parts = new DisposableStore();
  private readonly feed: ViewFeed<'steering'>;
  private readonly view: TreeView<SteeringRow>;

  constructor(
    private readonly shown: ShownRun,
    pending: PendingCommands,
  ) {
    super();
    this.feed = this.parts.add(new ViewFeed('steering'));
    this.view = this.parts.add(
      window.createTreeView<SteeringRow>('rolloutscope.steering', { treeDataProvider: this }),
    );
    this.parts.add(
      this.feed.onDidChange(() => {
        pending.settle(this.rows);
        this.changed(true);
      }),
    );
    this.parts.add(
      shown.onDidSwitch(() => {
        pending.clear();
        this.refeed();
      }),
    );
    let life: number | null = null;
    this.parts.add(
      shown.onDidChangeHeader((header) => {
        if (header && life !== null && header.incarnation !== life) pending.clear();
        life = header?.incarnation ?? null;
      }),
    );
    this.refeed();
  }

  /** Newest first. */
  get rows(): readonly SteeringRow[] {
    return this.feed.data?.rows ?? [];
  }

  override dispose(): void {
    this.parts.dispose();
    super.dispose();
  }

  override getChildren(node?: SteeringRow): SteeringRow[] {
    const total = this.feed.data?.total ?? 0;
    this.view.message =
      total > LIMIT ? t('The newest {0} of {1}. Export holds all that are shown here.', LIMIT, total) : '';
    return node ? [] : [...this.rows];
  }

  override getTreeItem(row: SteeringRow): TreeItem {
    const { icon: name, canUndo, ...text } = steeringRow(row, Date.now());
    return item({
      ...text,
      id: `${row.incarnation} ${row.command}`,
      icon: icon(name, COLORS[name]),
      context: canUndo ? ['steering', 'canUndo'] : ['steering'],
      command: 'rolloutscope.steeringDetails',
      argument: row,
    });
  }

  private refeed(): void {
    this.feed.show(this.shown.run, { limit: LIMIT }, true);
  }
}
