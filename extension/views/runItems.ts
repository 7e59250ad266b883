import type { StepRow, StepsPage } from '../../protocol/panels/lists';
import { count } from '../format';
import { t } from '../l10n';
import { thisMachine, type FoundRun } from '../runs/discovery';
import type { AttachedRun } from '../runs/runRegistry';
import { plain } from '../statusText';
import { runRow, stepRow } from './runRows';
import { icon, type ItemParts } from './treeParts';

export type Section = 'here' | 'recorded' | 'sample';

/** Rows of the Runs view. Menus hand them to commands. */
export type RunsNode =
  | { readonly kind: 'section'; readonly section: Section }
  | { readonly kind: 'run'; readonly key: string }
  | { readonly kind: 'found'; readonly found: FoundRun }
  | { readonly kind: 'step'; readonly key: string; readonly row: StepRow }
  | { readonly kind: 'fact'; readonly id: string }
  | { readonly kind: 'older'; readonly key: string; readonly left: number }
  | { readonly kind: 'evaluations'; readonly key: string };

export function sectionItem(section: Section, remoteName: string | undefined): ItemParts {
  const id = `section ${section}`;
  switch (section) {
    case 'here':
      return {
        id,
        label: thisMachine.host,
        description: remoteName === undefined ? t('this machine') : t('this remote'),
        icon: icon(remoteName === undefined ? 'device-desktop' : 'remote'),
        children: 'open',
      };
    case 'recorded':
      return { id, label: t('recorded'), icon: icon('archive'), children: 'open' };
    case 'sample':
      return {
        id,
        label: t('sample runs'),
        description: t('no GPU needed'),
        icon: icon('beaker'),
        children: 'open',
      };
  }
}

export function runItem(run: AttachedRun, shown: boolean): ItemParts {
  const { key, header } = run;
  const { label, description, icon: name } = runRow(header, Date.now());
  const colors: Partial<Record<string, string>> = {
    live: 'charts.blue',
    lost: 'errorForeground',
    refused: 'errorForeground',
    behind: 'editorWarning.foreground',
    paused: 'editorWarning.foreground',
  };
  return {
    id: `run ${key}`,
    label,
    description: shown ? `● ${description}` : description,
    tooltip: [plain(run.name), run.where, header.lost?.sentence ?? '', shown ? t('Shown in the panels.') : '']
      .filter((line) => line !== '')
      .join('\n'),
    icon: icon(name, colors[header.state]),
    children: 'open',
    context: [
      'run',
      header.state,
      ...(header.canSteer ? ['canSteer'] : []),
      ...(header.paused ? ['isPaused'] : []),
    ],
    command: 'rolloutscope.selectRun',
  };
}

export function foundItem(found: FoundRun): ItemParts {
  const { discovery, place } = found;
  const elsewhere = place === 'elsewhere';
  return {
    id: `found ${discovery.run}`,
    label: plain(discovery.name),
    description: elsewhere ? t('on {0}, not attached', plain(discovery.host)) : t('not attached'),
    tooltip: `${plain(discovery.name)}\n${discovery.address}`,
    icon: icon('circle-outline'),
    context: ['found', place],
    command: 'rolloutscope.attachFound',
  };
}

export function stepItem(key: string, row: StepRow, live: boolean): ItemParts {
  const { label, description, icon: name } = stepRow(row, live);
  return {
    id: `step ${key} ${row.incarnation} ${row.step}`,
    label,
    description,
    icon: icon(name, row.open && live ? 'charts.blue' : undefined),
    children: 'closed',
    context: ['step'],
    command: 'rolloutscope.selectStep',
  };
}

export function olderItem(key: string, left: number): ItemParts {
  return {
    id: `older ${key}`,
    label: t('older steps'),
    description: t('{0} more', count(left)),
    command: 'rolloutscope.olderSteps',
  };
}

export function evaluationsItem(key: string, evaluations: StepsPage['evaluations']): ItemParts {
  const last = evaluations.reduce((step, one) => Math.max(step, one.step), 0);
  return {
    id: `evaluations ${key}`,
    label: t('evaluations'),
    description: t('{0}, last at step {1}', count(evaluations.length), count(last)),
    icon: icon('graph-line'),
    children: 'closed',
  };
}
