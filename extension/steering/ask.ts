import { window, type QuickPickItem } from 'vscode';
import { t } from '../l10n';
import { readWhole } from './readNumbers';

/**
 * Questions of the steering commands. undefined: a person cancelled. They stay when the focus goes elsewhere: a
 * question of several steps is not lost because a panel took it, or a person looked something up.
 */

export interface Choice<T> extends QuickPickItem {
  readonly value: T;
}

export async function pick<T>(
  choices: readonly Choice<T>[],
  title: string,
  placeHolder: string,
): Promise<T | undefined> {
  const chosen = await window.showQuickPick(choices, { title, placeHolder, ignoreFocusOut: true });
  return chosen?.value;
}

export async function whole(
  title: string,
  prompt: string,
  value: string,
  least: number,
  most: number,
): Promise<number | undefined> {
  const text = await window.showInputBox({
    ignoreFocusOut: true,
    title,
    prompt,
    value,
    validateInput: (input) =>
      readWhole(input, least, most) === null ? t('A whole number from {0} to {1}.', least, most) : undefined,
  });
  return text === undefined ? undefined : (readWhole(text, least, most) ?? undefined);
}
