import { StatusBarAlignment, ThemeColor, window, type StatusBarItem } from 'vscode';
import type { CommandId } from './commands';
import { count } from './format';
import { t } from './l10n';
import { DisposableStore, type Disposable } from './lifecycle';
import type { ShownRun } from './runs/shownRun';
import { statusText, type StatusText } from './statusText';

/** A text that changes more often cannot be read. */
const INTERVAL_MS = 1_000;

const CLICKS: Readonly<Record<StatusText['click'], CommandId>> = {
  attach: 'rolloutscope.attach',
  overview: 'rolloutscope.openOverview',
  enterToken: 'rolloutscope.enterToken',
  retry: 'rolloutscope.retryNow',
};

/** One item for the shown run, a second with the number of open findings. */
export class StatusBar implements Disposable {
  private readonly parts = new DisposableStore();
  private readonly item: StatusBarItem;
  private readonly findings: StatusBarItem;
  private timer: NodeJS.Timeout | undefined;
  private lastDrawn = 0;
  private connectingSince = 0;

  constructor(
    private readonly shown: ShownRun,
    private readonly tokenRefused: () => boolean,
  ) {
    this.item = this.parts.add(window.createStatusBarItem('rolloutscope.run', StatusBarAlignment.Left, 10));
    this.item.name = 'Rolloutscope';
    this.findings = this.parts.add(
      window.createStatusBarItem('rolloutscope.findings', StatusBarAlignment.Left, 9),
    );
    this.findings.name = t('Rolloutscope: Findings');
    this.findings.command = 'rolloutscope.openOverview' satisfies CommandId;
    this.parts.add(shown.onDidChangeHeader(() => this.soon()));
    this.draw();
    this.item.show();
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.parts.dispose();
  }

  private soon(): void {
    this.timer ??= setTimeout(
      () => {
        this.timer = undefined;
        this.draw();
      },
      Math.max(0, this.lastDrawn + INTERVAL_MS - Date.now()),
    );
  }

  private draw(): void {
    const now = Date.now();
    this.lastDrawn = now;
    const { header } = this.shown;
    if (header?.state !== 'connecting') this.connectingSince = 0;
    else if (this.connectingSince === 0) this.connectingSince = now;
    const { text, tooltip, background, click } = statusText(header, {
      now,
      tokenRefused: this.tokenRefused(),
      connectingSince: this.connectingSince || now,
    });
    if (this.item.text !== text) this.item.text = text;
    this.item.tooltip = tooltip;
    this.item.command = CLICKS[click];
    this.item.backgroundColor =
      background === null ? undefined : new ThemeColor(`statusBarItem.${background}Background`);
    this.drawFindings(header?.openFindings ?? 0);
    // A countdown moves without any report.
    if (header?.state === 'lost' || header?.state === 'connecting') this.soon();
  }

  private drawFindings(open: number): void {
    if (open === 0) {
      this.findings.hide();
      return;
    }
    this.findings.text = `$(warning) ${count(open)}`;
    this.findings.tooltip = open === 1 ? t('One open finding') : t('{0} open findings', count(open));
    this.findings.show();
  }
}
