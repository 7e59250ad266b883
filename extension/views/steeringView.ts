import { window, type TreeView } from 'vscode';
import type { SteeringRow } from '../../protocol/panels/overview';
import { t } from '../l10n';
import { DisposableStore, type Disposable } from '../lifecycle';
import type { ShownRun } from '../runs/shownRun';
import type { PendingCommands } from '../steering/pendingCommands';
import { steeringRow } from './steeringRows';
import { SlowProvider, type Listed, type ViewRow } from './slowProvider';
import { icon, type ItemParts } from './treeParts';
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
  private readonly view: TreeView<ViewRow<SteeringRow>>;

  constructor(
    private readonly shown: ShownRun,
    pending: PendingCommands,
  ) {
    super((node) => this.list(node));
    this.feed = this.parts.add(new ViewFeed('steering'));
    this.view = this.parts.add(
      window.createTreeView<ViewRow<SteeringRow>>('rolloutscope.steering', { treeDataProvider: this }),
    );
    this.parts.add(
      this.feed.onDidChange(() => {
        pending.settle(this.rows);
        this.drawHead();
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

  private list(node: SteeringRow | undefined): Listed<SteeringRow>[] {
    if (node) return [];
    const now = Date.now();
    return this.rows.map((row) => ({ node: row, parts: rowItem(row, now) }));
  }

  private drawHead(): void {
    const total = this.feed.data?.total ?? 0;
    this.view.message =
      total > LIMIT ? t('The newest {0} of {1}. Export holds all that are shown here.', LIMIT, total) : '';
  }

  private refeed(): void {
    this.feed.show(this.shown.run, { limit: LIMIT }, true);
  }
}

function rowItem(row: SteeringRow, now: number): ItemParts {
  const { icon: name, canUndo, ...text } = steeringRow(row, now);
  return {
    ...text,
    id: `${row.incarnation} ${row.command}`,
    icon: icon(name, COLORS[name]),
    context: canUndo ? ['steering', 'canUndo'] : ['steering'],
    command: 'rolloutscope.steeringDetails',
  };
}
