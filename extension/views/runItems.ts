import type { TreeItem } from 'vscode';
import type { StepRow } from '../../protocol/panels/lists';
import { t } from '../l10n';
import { thisMachine, type FoundRun } from '../runs/discovery';
import type { AttachedRun } from '../runs/runRegistry';
import { plain } from '../statusText';
import { runRow } from './runRows';
import { icon, item } from './treeParts';

export type Section = 'here' | 'recorded' | 'sample';

/** Rows of the Runs view. Menus hand them to commands. */
export type RunsNode =
  | { readonly kind: 'section'; readonly section: Section }
  | { readonly kind: 'run'; readonly key: string }
  | { readonly kind: 'found'; readonly found: FoundRun }
  | { readonly kind: 'step'; readonly key: string; readonly row: StepRow }
  | { readonly kind: 'fact'; readonly id: string; readonly label: string; readonly value: string }
  | { readonly kind: 'older'; readonly key: string; readonly left: number }
  | { readonly kind: 'evaluations'; readonly key: string };

export function sectionItem(section: Section, remoteName: string | undefined): TreeItem {
  const id = `section ${section}`;
  switch (section) {
    case 'here':
      return item({
        id,
        label: thisMachine.host,
        description: remoteName === undefined ? t('this machine') : t('this remote'),
        icon: icon(remoteName === undefined ? 'device-desktop' : 'remote'),
        children: 'open',
      });
    case 'recorded':
      return item({ id, label: t('recorded'), icon: icon('archive'), children: 'open' });
    case 'sample':
      return item({
        id,
        label: t('sample runs'),
        description: t('no GPU needed'),
        icon: icon('beaker'),
        children: 'open',
      });
  }
}

export function runItem(key: string, run: AttachedRun | null, shown: boolean): TreeItem {
  if (!run) return item({ id: `run ${key}`, label: key });
  const { header } = run;
  const { label, description, icon: name } = runRow(header, Date.now());
  const colors: Partial<Record<string, string>> = {
    live: 'charts.blue',
    lost: 'errorForeground',
    refused: 'errorForeground',
    behind: 'editorWarning.foreground',
    paused: 'editorWarning.foreground',
  };
  return item({
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
    argument: { kind: 'run', key } satisfies RunsNode,
  });
}

export function foundItem(found: FoundRun): TreeItem {
  const { discovery, place } = found;
  const elsewhere = place === 'elsewhere';
  return item({
    id: `found ${discovery.run}`,
    label: plain(discovery.name),
    description: elsewhere ? t('on {0}, not attached', plain(discovery.host)) : t('not attached'),
    tooltip: `${plain(discovery.name)}\n${discovery.address}`,
    icon: icon('circle-outline'),
    context: ['found', place],
    command: 'rolloutscope.attachFound',
    argument: { kind: 'found', found } satisfies RunsNode,
  });
}
