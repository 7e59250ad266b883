import { window } from 'vscode';
import type { SteeringRow } from '../../protocol/panels/overview';
import type { PanelCommand } from '../../protocol/panels/messages';
import type { Selection } from '../../protocol/panels/selection';
import type { Subject } from '../../protocol/wire/values';
import { count } from '../format';
import { t } from '../l10n';
import type { AttachedRun } from '../runs/runRegistry';
import { once } from '../session/once';
import { plain } from '../statusText';
import { canUndo } from '../views/steeringRows';
import type { Own } from './request';
import { noun } from './wording';

/** What a steering command is about, taken from the selection and, where that leaves a choice, from the person. */

type StopSubject = Extract<PanelCommand, { id: 'stop' }>['subject'];

export const runSubject = (run: AttachedRun): Subject => ({
  type: 'run',
  id: run.client.report?.info?.run.id ?? run.key.replace(/^live:/, ''),
});

export async function askSubjects(
  run: AttachedRun,
  selection: Selection,
): Promise<Own<'allocate'>['subjects'] | undefined> {
  const { prompt, group, node } = selection;
  const can = (what: string) => run.header.capabilities.includes(`steer.allocate.${what}`);
  const offers: readonly {
    readonly type: 'prompt' | 'group' | 'node' | 'run';
    readonly id: string | null;
  }[] = [
    { type: 'prompt', id: prompt },
    { type: 'group', id: group },
    { type: 'node', id: node },
    { type: 'run', id: runSubject(run).id },
  ];
  const choices = offers.flatMap(({ type, id }) =>
    id === null || !can(type)
      ? []
      : [
          {
            label: type === 'run' ? t('Every prompt') : `${noun(type, 1)} ${plain(id)}`,
            subject: { type, id },
          },
        ],
  );
  if (choices.length === 0) {
    void window.showInformationMessage(t('Choose a prompt in the Prompts view first.'));
    return undefined;
  }
  if (choices.length === 1) return [choices[0]!.subject];
  const chosen = await window.showQuickPick(choices, {
    ignoreFocusOut: true,
    title: t('Re-allocate'),
    placeHolder: t('Whose budget?'),
  });
  return chosen && [chosen.subject];
}

export async function askStop(selection: Selection): Promise<StopSubject | undefined> {
  const { prompt, group, rollout, node } = selection;
  const offers = [
    { type: 'node' as const, id: node },
    { type: 'rollout' as const, id: rollout },
    { type: 'group' as const, id: group },
    { type: 'prompt' as const, id: prompt },
  ];
  const choices = offers.flatMap(({ type, id }) =>
    id === null ? [] : [{ label: `${noun(type, 1)} ${plain(id)}`, subject: { type, id } }],
  );
  if (choices.length <= 1) return choices[0]?.subject;
  const chosen = await window.showQuickPick(choices, {
    ignoreFocusOut: true,
    title: t('Stop'),
    placeHolder: t('What is stopped? Whatever still runs in it ends.'),
  });
  return chosen?.subject;
}

export async function askPlace(
  run: AttachedRun,
  selection: Selection,
): Promise<{ node: string; at: number } | null> {
  const { node, rollout, group, prompt, step } = selection;
  const tree = await once(run.client, 'tree', { group, prompt, step, rule: null });
  const index = tree ? placeOf(tree.nodes.id, tree.nodes.rollout, tree.rollouts.id, node, rollout) : -1;
  if (!tree || index < 0) {
    void window.showInformationMessage(t('Choose a node in the rollout tree first.'));
    return null;
  }
  const length = tree.nodes.length[index]!;
  const text = await window.showInputBox({
    ignoreFocusOut: true,
    title: t('Fork Here'),
    prompt: t('Position in node {0}, from 0 to {1}.', plain(tree.nodes.id[index]!), length),
    value: String(length),
    validateInput: (value) =>
      /^\d{1,9}$/.test(value) && Number(value) <= length
        ? undefined
        : t('A whole number from {0} to {1}.', 0, length),
  });
  return text === undefined ? null : { node: tree.nodes.id[index]!, at: Number(text) };
}

/** The selected node, else the last own node of the selected rollout; −1: neither is in the tree. */
function placeOf(
  nodes: readonly string[],
  owners: Int32Array,
  rollouts: readonly string[],
  node: string | null,
  rollout: string | null,
): number {
  if (node !== null) return nodes.indexOf(node);
  return rollout === null ? -1 : owners.lastIndexOf(rollouts.indexOf(rollout));
}

export const whomText = (subjects: Own<'allocate'>['subjects']): string => {
  const first = subjects[0]!;
  if (first.type === 'run') return t('every prompt');
  return subjects.length === 1
    ? `${noun(first.type, 1)} ${first.id}`
    : `${count(subjects.length)} ${noun(first.type, 2)}`;
};

export async function askUndo(rows: readonly SteeringRow[]): Promise<SteeringRow | undefined> {
  const choices = rows
    .filter(canUndo)
    .map((row) => ({ label: plain(row.sentence), description: plain(row.author), row }));
  if (choices.length === 0) {
    void window.showInformationMessage(t('Nothing in the steering record can be undone.'));
    return undefined;
  }
  const chosen = await window.showQuickPick(choices, {
    ignoreFocusOut: true,
    title: t('Undo Steering'),
    placeHolder: t('What is taken back?'),
  });
  return chosen?.row;
}
