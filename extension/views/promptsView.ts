import { Uri, window, type TreeView } from 'vscode';
import type { PromptRow, PromptsParams } from '../../protocol/panels/lists';
import { count } from '../format';
import { t } from '../l10n';
import { DisposableStore, type Disposable } from '../lifecycle';
import type { ShownRun } from '../runs/shownRun';
import type { SelectionStore } from '../selection';
import { SORTS, promptRow } from './promptRows';
import { SlowProvider, type Listed, type ViewRow } from './slowProvider';
import type { ItemParts } from './treeParts';
import { ViewFeed } from './viewFeed';

const PAGE = 100;

export type PromptsNode =
  { readonly kind: 'prompt'; readonly row: PromptRow } | { readonly kind: 'more'; readonly left: number };

/** Prompts of the shown step, paged and filtered. */
export class PromptsView extends SlowProvider<PromptsNode> implements Disposable {
  private readonly parts = new DisposableStore();
  private readonly feed: ViewFeed<'prompts'>;
  private readonly view: TreeView<ViewRow<PromptsNode>>;
  private limit = PAGE;
  private filterText = '';
  private sortBy: PromptsParams['sort'] = 'rollouts';

  constructor(
    private readonly root: Uri,
    private readonly shown: ShownRun,
    private readonly selection: SelectionStore,
  ) {
    super((node) => this.list(node));
    this.feed = this.parts.add(new ViewFeed('prompts'));
    this.view = this.parts.add(
      window.createTreeView<ViewRow<PromptsNode>>('rolloutscope.prompts', { treeDataProvider: this }),
    );
    this.parts.add(this.feed.onDidChange(() => this.changed()));
    this.parts.add(this.view.onDidChangeVisibility(() => this.refeed()));
    this.parts.add(shown.onDidSwitch(() => this.restart()));
    this.parts.add(selection.onDidChange(() => this.refeed()));
    this.refeed();
  }

  get filter(): string {
    return this.filterText;
  }

  get sort(): PromptsParams['sort'] {
    return this.sortBy;
  }

  arrange(part: { readonly filter?: string; readonly sort?: PromptsParams['sort'] }): void {
    this.filterText = part.filter ?? this.filterText;
    this.sortBy = part.sort ?? this.sortBy;
    this.limit = PAGE;
    this.refeed();
  }

  showMore(): void {
    this.limit += PAGE;
    this.refeed();
  }

  override dispose(): void {
    this.parts.dispose();
    super.dispose();
  }

  private list(node: PromptsNode | undefined): Listed<PromptsNode>[] {
    const page = this.feed.data;
    this.drawHead();
    if (node || !page) return [];
    const left = page.total - page.rows.length;
    const rows = page.rows.map((row): Listed<PromptsNode> => ({
      node: { kind: 'prompt', row },
      parts: this.rowItem(row),
    }));
    if (left > 0) rows.push({ node: { kind: 'more', left }, parts: moreItem(left) });
    return rows;
  }

  private rowItem(row: PromptRow): ItemParts {
    const { mark, ...text } = promptRow(row);
    const file = (theme: string) => Uri.joinPath(this.root, 'media', 'marks', `${mark}-${theme}.svg`);
    return {
      ...text,
      id: `prompt ${row.prompt} ${row.group ?? ''}`,
      ...(mark === 'none' ? {} : { icon: { light: file('light'), dark: file('dark') } }),
      context: ['prompt'],
      command: 'rolloutscope.selectPrompt',
    };
  }

  private restart(): void {
    this.limit = PAGE;
    this.refeed();
  }

  private refeed(): void {
    const { step } = this.selection.value;
    const params = { step, offset: 0, limit: this.limit, filter: this.filterText, sort: this.sortBy };
    this.feed.show(this.shown.run, params, this.view.visible);
    this.drawHead();
  }

  /** The head says what is listed; a filter that cannot be read, or that nothing matches, says so above the rows. */
  private drawHead(): void {
    const page = this.feed.data;
    const step = page?.step ?? this.selection.value.step;
    const head = step === null ? '' : `${t('step {0}', count(step))}, ${SORTS[this.sortBy]()}`;
    if (this.view.description !== head) this.view.description = head;
    const message = this.message();
    if ((this.view.message ?? '') !== message) this.view.message = message;
  }

  private message(): string {
    const page = this.feed.data;
    if (!page) return '';
    if (page.problem !== null) return page.problem;
    if (page.total === 0 && this.filterText !== '') return t('No prompt matches {0}.', this.filterText);
    if (this.filterText === '') return '';
    return page.total === 1
      ? t('1 prompt matches {0}.', this.filterText)
      : t('{0} prompts match {1}.', count(page.total), this.filterText);
  }
}

const moreItem = (left: number): ItemParts => ({
  id: 'more',
  label: t('more prompts'),
  description: t('{0} more', count(left)),
  command: 'rolloutscope.morePrompts',
});
