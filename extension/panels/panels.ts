import { TabInputWebview, Uri, ViewColumn, env, window, type Tab, type WebviewPanel } from 'vscode';
import { PANELS, type PanelName } from '../../protocol/panels/messages';
import { DisposableStore, type Disposable } from '../lifecycle';
import { pageHtml } from './page';
import { PanelHost, panelTitle, type PanelDeps } from './panelHost';

export const viewTypeOf = (name: PanelName): string => `rolloutscope.${name}`;

const ICONS: Readonly<Record<PanelName, string>> = {
  overview: 'overview',
  rolloutTree: 'tree',
  budgets: 'budgets',
  passAtK: 'passAtK',
};

/** The tab of a panel that was open before the window was reloaded and has not been looked at since. */
const sleepingTab = (name: PanelName): Tab | undefined =>
  window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .find(({ input }) => input instanceof TabInputWebview && input.viewType.endsWith(viewTypeOf(name)));

/** The four panels of the window; each is opened once and comes back after the window is reloaded. */
export class Panels implements Disposable {
  private readonly parts = new DisposableStore();
  private readonly open = new Map<PanelName, { readonly panel: WebviewPanel; readonly host: PanelHost }>();
  private readonly dist: Uri;

  constructor(
    private readonly root: Uri,
    private readonly deps: PanelDeps,
  ) {
    this.dist = Uri.joinPath(root, 'dist');
    for (const name of PANELS) {
      this.parts.add(
        window.registerWebviewPanelSerializer(viewTypeOf(name), {
          deserializeWebviewPanel: (panel) => {
            this.adopt(name, panel);
            return Promise.resolve();
          },
        }),
      );
    }
  }

  /** For a person who has just attached: a picture of the run, unless one is open already. */
  showFirst(): void {
    if (this.open.size === 0 && !PANELS.some((name) => sleepingTab(name))) this.show('overview');
  }

  show(name: PanelName): void {
    const known = this.open.get(name);
    if (known) {
      known.panel.reveal();
      return;
    }
    const title = panelTitle(name, this.deps.selection.value.prompt);
    // After a reload VS Code wakes a panel when its tab is shown, which cannot be asked for: it is made anew there.
    const tab = sleepingTab(name);
    const column = tab?.group.viewColumn ?? ViewColumn.Active;
    this.adopt(
      name,
      window.createWebviewPanel(viewTypeOf(name), title, column, { retainContextWhenHidden: false }),
    );
    if (tab) void window.tabGroups.close(tab, true);
  }

  dispose(): void {
    this.parts.dispose();
    for (const { host } of this.open.values()) host.dispose();
    this.open.clear();
  }

  private adopt(name: PanelName, panel: WebviewPanel): void {
    this.open.get(name)?.panel.dispose();
    panel.webview.options = { enableScripts: true, localResourceRoots: [this.dist] };
    const icon = (theme: string) => Uri.joinPath(this.root, 'media', 'panels', `${ICONS[name]}-${theme}.svg`);
    panel.iconPath = { light: icon('light'), dark: icon('dark') };
    const host = new PanelHost(panel, name, this.deps);
    this.open.set(name, { panel, host });
    panel.onDidDispose(() => {
      if (this.open.get(name)?.panel === panel) this.open.delete(name);
    });
    const title = `Rolloutscope: ${panelTitle(name, null)}`;
    panel.webview.html = pageHtml(panel.webview, this.dist, { panel: name, title, language: env.language });
  }
}
