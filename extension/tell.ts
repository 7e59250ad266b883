import { commands, window } from 'vscode';
import type { CommandId } from './commands';
import { ERRORS, type ErrorAction, type ErrorContext, type ErrorKind } from './errors';
import { t } from './l10n';
import type { Log } from './lifecycle';

const ACTIONS: Readonly<Record<ErrorAction, { readonly label: () => string; readonly command: CommandId }>> =
  {
    retry: { label: () => t('Try Again'), command: 'rolloutscope.retryNow' },
    enterToken: { label: () => t('Enter Token…'), command: 'rolloutscope.enterToken' },
    attach: { label: () => t('Attach…'), command: 'rolloutscope.attach' },
    showLog: { label: () => t('Show Log'), command: 'rolloutscope.showLog' },
    startSampleRun: { label: () => t('Start Sample Run'), command: 'rolloutscope.startSampleRun' },
  };

/**
 * Tells a person about an error, by the table. Connection trouble is silent: the status bar and the views say it;
 * a toast comes only when the person has just asked for something.
 */
export class Teller {
  constructor(private readonly log: Log) {}

  tell(kind: ErrorKind, context: Partial<ErrorContext>, afterAction = false): void {
    const { message, actions, severity, silent } = ERRORS[kind];
    const text = message({ where: context.where ?? '', detail: context.detail ?? '' });
    this.log[severity === 'warning' ? 'warn' : severity](text);
    if (silent && !afterAction) return;
    const labels = actions.map((action) => ACTIONS[action].label());
    const show = {
      error: window.showErrorMessage,
      warning: window.showWarningMessage,
      info: window.showInformationMessage,
    };
    void show[severity](text, ...labels).then((chosen) => {
      const action = actions[labels.indexOf(chosen ?? '')];
      if (action) void commands.executeCommand(ACTIONS[action].command);
    });
  }
}
