import type { ComponentChildren } from 'preact';
import { ordinal } from './format';
import { header } from './host';
import { Icon } from './icon';
import { StateChip } from './stateChip';
import { say } from './strings';

export interface Crumb {
  readonly label: string;
  readonly onOpen?: () => void;
}

/**
 * Header of a panel, 40 px: run › … › what is shown, tags, a note, the run's state, controls.
 *
 * @param crumbs what follows the run; the last one is what the panel shows.
 */
export const PanelHeader = ({
  crumbs,
  note,
  children,
}: {
  crumbs: readonly Crumb[];
  note?: ComponentChildren;
  children?: ComponentChildren;
}) => {
  const run = header.value;
  const all: readonly Crumb[] = run ? [{ label: run.name }, ...crumbs] : crumbs;
  return (
    <header class="rs-header" role="banner">
      <nav aria-label="Breadcrumb" class="rs-cut">
        <ol class="rs-crumbs">
          {all.map((crumb, i) => (
            <li key={String(i)} aria-current={i === all.length - 1 ? 'page' : undefined}>
              {i > 0 && <Icon name="chevron-right" small />}
              {crumb.onOpen ? (
                <button type="button" onClick={crumb.onOpen} title={crumb.label}>
                  {crumb.label}
                </button>
              ) : (
                <span class="rs-cut" title={crumb.label}>
                  {crumb.label}
                </span>
              )}
            </li>
          ))}
        </ol>
      </nav>
      {run && run.incarnation > 1 && (
        <span class="rs-tag">{say('secondStart', { nth: ordinal(run.incarnation) })}</span>
      )}
      {run && run.policyVersion !== null && (
        <span class="rs-tag rs-header-version">{say('policyVersion', { version: run.policyVersion })}</span>
      )}
      <span class="rs-second rs-small rs-cut rs-grow rs-header-note">{note}</span>
      <StateChip />
      {children !== undefined && <span class="rs-rule" />}
      {children}
    </header>
  );
};
