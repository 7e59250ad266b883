import { Uri, window, type TreeView } from 'vscode';
import type { ConnectionState } from '../../protocol/panels/selection';
import { count } from '../format';
import { t } from '../l10n';
import { DisposableStore, type Disposable } from '../lifecycle';
import type { DiscoveryWatcher } from '../runs/discovery';
import type { AttachedRun, RunRegistry } from '../runs/runRegistry';
import type { ShownRun } from '../runs/shownRun';
import {
  evaluationsItem,
  foundItem,
  olderItem,
  runItem,
  sectionItem,
  stepItem,
  type RunsNode,
  type Section,
} from './runItems';
import { evaluationRow, stepFacts } from './runRows';
import { SlowProvider, type Listed, type ViewRow } from './slowProvider';
import { ViewFeed } from './viewFeed';

const DROPPED = 'text/uri-list';

/** Addresses of a dropped list: one a line, lines with # are comments. */
const droppedUris = (text: string): Uri[] =>
  text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => Uri.parse(line.trim()));

const STEPS_AT_FIRST = 20;
const STEPS_MORE = 100;

/** States of a run that goes on. */
const LIVE: ReadonlySet<ConnectionState> = new Set(['live', 'behind', 'paused']);

interface Deps {
  readonly registry: RunRegistry;
  readonly discovery: DiscoveryWatcher;
  readonly shown: ShownRun;
  readonly isSample: (key: string) => boolean;
  readonly remoteName: string | undefined;
  /** Files or a folder were dropped onto the view. */
  readonly onDrop: (uris: readonly Uri[]) => Promise<void>;
}

/** Host, runs with their state, steps with what they cost, evaluations, recorded runs, sample runs. */
export class RunsView extends SlowProvider<RunsNode> implements Disposable {
  private readonly parts = new DisposableStore();
  private readonly feeds = new Map<string, ViewFeed<'steps'>>();
  private readonly limits = new Map<string, number>();
  private readonly opened = new Set<string>();
  private readonly view: TreeView<ViewRow<RunsNode>>;

  constructor(private readonly deps: Deps) {
    super((node) => this.list(node));
    this.view = this.parts.add(
      window.createTreeView<ViewRow<RunsNode>>('rolloutscope.runs', {
        treeDataProvider: this,
        showCollapseAll: true,
        dragAndDropController: {
          dragMimeTypes: [],
          dropMimeTypes: [DROPPED],
          handleDrop: async (_target, dropped) => {
            const text = await dropped.get(DROPPED)?.asString();
            const uris = droppedUris(text ?? '');
            if (uris.length > 0) await deps.onDrop(uris);
          },
        },
      }),
    );
    const { registry, discovery, shown } = deps;
    this.parts.add(registry.onDidChangeList(() => this.refeed()));
    this.parts.add(
      registry.onDidUpdate(() => {
        this.drawBadge();
        this.changed();
      }),
    );
    this.parts.add(discovery.onDidChange(() => this.changed(true)));
    this.parts.add(shown.onDidSwitch(() => this.changed(true)));
    this.parts.add(this.view.onDidChangeVisibility(() => this.refeed()));
    this.parts.add(this.view.onDidExpandElement(({ element }) => this.toggle(element.node, true)));
    this.parts.add(this.view.onDidCollapseElement(({ element }) => this.toggle(element.node, false)));
  }

  showOlder(key: string): void {
    this.limits.set(key, (this.limits.get(key) ?? STEPS_AT_FIRST) + STEPS_MORE);
    this.refeed();
  }

  override dispose(): void {
    for (const feed of this.feeds.values()) feed.dispose();
    this.parts.dispose();
    super.dispose();
  }

  private list(node: RunsNode | undefined): Listed<RunsNode>[] {
    if (!node) return this.sections();
    switch (node.kind) {
      case 'section':
        return this.runsOf(node.section);
      case 'run':
        return this.stepsOf(node.key);
      case 'step':
        return stepFacts(node.row).map(({ label, value }) =>
          fact(`${node.key} ${node.row.incarnation} ${node.row.step} ${label}`, value, label),
        );
      case 'evaluations':
        return (this.feeds.get(node.key)?.data?.evaluations ?? []).map((one) => {
          const { label, description } = evaluationRow(one);
          return fact(`${node.key} evaluation ${one.set} ${one.step}`, label, description);
        });
      default:
        return [];
    }
  }

  private sections(): Listed<RunsNode>[] {
    const sections = (['here', 'recorded', 'sample'] as const).filter((one) => this.runsOf(one).length > 0);
    return sections.map((section) => ({
      node: { kind: 'section', section },
      parts: sectionItem(section, this.deps.remoteName),
    }));
  }

  private runsOf(section: Section): Listed<RunsNode>[] {
    const { registry, discovery, shown, isSample } = this.deps;
    const of = (key: string) =>
      key.startsWith('recorded:') ? 'recorded' : isSample(key) ? 'sample' : 'here';
    const open = registry.runs.filter(({ key }) => of(key) === section);
    const found = discovery.runs.filter(({ discovery: { run, address } }) => {
      const key = `live:${run}`;
      return of(key) === section && !registry.get(key) && !registry.get(`live:${address}`);
    });
    // A countdown moves without any report.
    if (this.view.visible && open.some(({ header }) => header.state === 'lost')) this.changed();
    // Which run the panels show is said only where there is a choice.
    const choice = registry.runs.length > 1;
    return [
      ...open.map((run): Listed<RunsNode> => {
        const { key } = run;
        return { node: { kind: 'run', key }, parts: runItem(run, choice && shown.run?.key === key) };
      }),
      ...found.map((one): Listed<RunsNode> => ({
        node: { kind: 'found', found: one },
        parts: foundItem(one),
      })),
    ];
  }

  private stepsOf(key: string): Listed<RunsNode>[] {
    const page = this.feeds.get(key)?.data;
    if (!page) return [];
    const { total, rows, evaluations } = page;
    const left = total - rows.length;
    const live = LIVE.has(this.deps.registry.get(key)?.header.state ?? 'none');
    const steps = rows.map((row): Listed<RunsNode> => ({
      node: { kind: 'step', key, row },
      parts: stepItem(key, row, live),
    }));
    if (left > 0) steps.push({ node: { kind: 'older', key, left }, parts: olderItem(key, left) });
    if (evaluations.length > 0) {
      steps.push({ node: { kind: 'evaluations', key }, parts: evaluationsItem(key, evaluations) });
    }
    return steps;
  }

  private toggle(node: RunsNode, open: boolean): void {
    if (node.kind !== 'run') return;
    if (open) this.opened.add(node.key);
    else this.opened.delete(node.key);
    this.refeed();
  }

  /** Steps are asked for only of runs that are open in a visible tree. */
  private refeed(): void {
    const { runs } = this.deps.registry;
    for (const [key, feed] of this.feeds) {
      if (runs.some((run) => run.key === key)) continue;
      feed.dispose();
      this.feeds.delete(key);
      this.opened.delete(key);
    }
    for (const run of runs) this.feedRun(run);
    this.drawBadge();
    this.changed(true);
  }

  private feedRun(run: AttachedRun): void {
    let feed = this.feeds.get(run.key);
    if (!feed) {
      feed = new ViewFeed('steps');
      // A run is drawn open; VS Code tells of it only when a person closes it.
      this.opened.add(run.key);
      feed.onDidChange(() => this.changed());
      this.feeds.set(run.key, feed);
    }
    const limit = this.limits.get(run.key) ?? STEPS_AT_FIRST;
    feed.show(run, { limit }, this.view.visible && this.opened.has(run.key));
  }

  private drawBadge(): void {
    const open = this.deps.registry.runs.reduce((sum, { header }) => sum + header.openFindings, 0);
    if ((this.view.badge?.value ?? 0) === open) return;
    this.view.badge = open === 0 ? undefined : { value: open, tooltip: t('{0} open findings', count(open)) };
  }
}

const fact = (id: string, label: string, description: string): Listed<RunsNode> => ({
  node: { kind: 'fact', id },
  parts: { id: `fact ${id}`, label, description },
});
