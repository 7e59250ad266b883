import { window, type TreeItem, type TreeView } from 'vscode';
import { count } from '../format';
import { t } from '../l10n';
import { DisposableStore, type Disposable } from '../lifecycle';
import type { DiscoveryWatcher } from '../runs/discovery';
import type { AttachedRun, RunRegistry } from '../runs/runRegistry';
import type { ShownRun } from '../runs/shownRun';
import { foundItem, runItem, sectionItem, type RunsNode, type Section } from './runItems';
import { evaluationRow, stepFacts, stepRow } from './runRows';
import { SlowProvider, icon, item } from './treeParts';
import { ViewFeed } from './viewFeed';

const STEPS_AT_FIRST = 20;
const STEPS_MORE = 100;

interface Deps {
  readonly registry: RunRegistry;
  readonly discovery: DiscoveryWatcher;
  readonly shown: ShownRun;
  readonly isSample: (key: string) => boolean;
  readonly remoteName: string | undefined;
}

/** Host, runs with their state, steps with what they cost, evaluations, recorded runs, sample runs. */
export class RunsView extends SlowProvider<RunsNode> implements Disposable {
  private readonly parts = new DisposableStore();
  private readonly feeds = new Map<string, ViewFeed<'steps'>>();
  private readonly limits = new Map<string, number>();
  private readonly opened = new Set<string>();
  private readonly view: TreeView<RunsNode>;

  constructor(private readonly deps: Deps) {
    super();
    this.view = this.parts.add(
      window.createTreeView<RunsNode>('rolloutscope.runs', { treeDataProvider: this, showCollapseAll: true }),
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
    this.parts.add(this.view.onDidExpandElement(({ element }) => this.toggle(element, true)));
    this.parts.add(this.view.onDidCollapseElement(({ element }) => this.toggle(element, false)));
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

  override getChildren(node?: RunsNode): RunsNode[] {
    if (!node) return this.sections();
    switch (node.kind) {
      case 'section':
        return this.runsOf(node.section);
      case 'run':
        return this.stepsOf(node.key);
      case 'step':
        return stepFacts(node.row).map(({ label, value }) => ({
          kind: 'fact',
          id: `${node.key} ${node.row.incarnation} ${node.row.step} ${label}`,
          label: value,
          value: label,
        }));
      case 'evaluations':
        return (this.feeds.get(node.key)?.data?.evaluations ?? []).map((one) => {
          const { label, description } = evaluationRow(one);
          return { kind: 'fact', id: `${node.key} ev ${one.set} ${one.step}`, label, value: description };
        });
      default:
        return [];
    }
  }

  override getTreeItem(node: RunsNode): TreeItem {
    switch (node.kind) {
      case 'section':
        return sectionItem(node.section, this.deps.remoteName);
      case 'run':
        return this.runItem(node.key);
      case 'found':
        return foundItem(node.found);
      case 'step': {
        const { label, description, icon: name } = stepRow(node.row);
        return item({
          id: `step ${node.key} ${node.row.incarnation} ${node.row.step}`,
          label,
          description,
          icon: icon(name, node.row.open ? 'charts.blue' : undefined),
          children: 'closed',
          context: ['step'],
          command: 'rolloutscope.selectStep',
          argument: node,
        });
      }
      case 'fact':
        return item({ id: `fact ${node.id}`, label: node.label, description: node.value });
      case 'older':
        return item({
          id: `older ${node.key}`,
          label: t('older steps'),
          description: t('{0} more', count(node.left)),
          command: 'rolloutscope.olderSteps',
          argument: node,
        });
      case 'evaluations': {
        const all = this.feeds.get(node.key)?.data?.evaluations ?? [];
        const last = all.reduce((step, one) => Math.max(step, one.step), 0);
        return item({
          id: `evaluations ${node.key}`,
          label: t('evaluations'),
          description: t('{0}, last at step {1}', count(all.length), count(last)),
          icon: icon('graph-line'),
          children: 'closed',
        });
      }
    }
  }

  /** Which run the panels show is said only where there is a choice. */
  private runItem(key: string): TreeItem {
    const { registry, shown } = this.deps;
    const run = registry.get(key);
    // A countdown moves without any report; hidden rows are not asked for, so that it ends by itself.
    if (run?.header.state === 'lost') this.changed();
    return runItem(key, run, registry.runs.length > 1 && shown.run?.key === key);
  }

  private sections(): RunsNode[] {
    const sections = (['here', 'recorded', 'sample'] as const).filter((one) => this.runsOf(one).length > 0);
    return sections.map((section) => ({ kind: 'section', section }));
  }

  private runsOf(section: Section): RunsNode[] {
    const { registry, discovery, isSample } = this.deps;
    const of = (key: string) =>
      key.startsWith('recorded:') ? 'recorded' : isSample(key) ? 'sample' : 'here';
    const open = registry.runs.filter(({ key }) => of(key) === section);
    const found = discovery.runs.filter(({ discovery: { run, address } }) => {
      const key = `live:${run}`;
      return of(key) === section && !registry.get(key) && !registry.get(`live:${address}`);
    });
    return [
      ...open.map(({ key }): RunsNode => ({ kind: 'run', key })),
      ...found.map((one): RunsNode => ({ kind: 'found', found: one })),
    ];
  }

  private stepsOf(key: string): RunsNode[] {
    const page = this.feeds.get(key)?.data;
    if (!page) return [];
    const steps = page.rows.map((row): RunsNode => ({ kind: 'step', key, row }));
    const left = page.total - page.rows.length;
    return [
      ...steps,
      ...(left > 0 ? [{ kind: 'older', key, left } as const] : []),
      ...(page.evaluations.length > 0 ? [{ kind: 'evaluations', key } as const] : []),
    ];
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
