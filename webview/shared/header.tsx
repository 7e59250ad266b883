import type { ComponentChildren } from 'preact';
import { ordinal } from './format';
import { header, selection } from './host';
import { Icon } from './icon';
import { StateChip } from './stateChip';
import { StepNavigator } from './stepNavigator';
import { say } from './strings';

export interface Crumb {
  readonly label: string;
  readonly onOpen?: () => void;
}

/** The last crumb is the heading of the page. */
const CrumbText = ({ label, last }: { label: string; last: boolean }) =>
  last ? (
    <h1 class="rs-cut rs-strong" title={label}>
      {label}
    </h1>
  ) : (
    <span class="rs-cut" title={label}>
      {label}
    </span>
  );

/**
 * Header of a panel, 40 px: run › … › what is shown, tags, a note, the run's state, controls.
 *
 * @param crumbs what follows the run; the last one is what the panel shows.
 * @param step the step shown, for panels in which one walks the steps.
 * @param version policy version of what is shown; left out, the run's own while its newest step is followed.
 */
export const PanelHeader = ({
  crumbs,
  step,
  version,
  note,
  children,
}: {
  crumbs: readonly Crumb[];
  step?: number | null;
  version?: number | null;
  note?: ComponentChildren;
  children?: ComponentChildren;
}) => {
  const run = header.value;
  const followed = selection.value.step === null || selection.value.step === run?.step;
  const shownVersion = version === undefined ? (followed ? run?.policyVersion : null) : version;
  const hasChildren = children !== undefined && children !== null && children !== false;
  const all: readonly Crumb[] = run ? [{ label: run.name }, ...crumbs] : crumbs;
  return (
    <header class="rs-header">
      {all.length === 0 && <h1 class="rs-hidden">{document.title}</h1>}
      <nav aria-label="Breadcrumb" class="rs-cut">
        <ol class="rs-crumbs">
          {all.map((crumb, i) => (
            <li key={String(i)} aria-current={i === all.length - 1 ? 'page' : undefined}>
              {i > 0 && <Icon name="chevron-right" small />}
              {crumb.onOpen && i < all.length - 1 ? (
                <button type="button" onClick={crumb.onOpen} title={crumb.label}>
                  {crumb.label}
                </button>
              ) : (
                <CrumbText label={crumb.label} last={i === all.length - 1} />
              )}
            </li>
          ))}
        </ol>
      </nav>
      {step !== undefined && <StepNavigator step={step} />}
      {run && run.incarnation > 1 && (
        <span class="rs-tag rs-header-start">{say('secondStart', { nth: ordinal(run.incarnation) })}</span>
      )}
      {run && typeof shownVersion === 'number' && shownVersion >= 0 && (
        <span class="rs-tag rs-header-version">{say('policyVersion', { version: shownVersion })}</span>
      )}
      <span class="rs-second rs-small rs-cut rs-grow rs-header-note">{note}</span>
      <StateChip />
      {hasChildren && <span class="rs-rule" />}
      {children}
    </header>
  );
};
