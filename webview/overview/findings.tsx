import type { FindingRow, OverviewView } from '../../protocol/panels/overview';
import { Button } from '../shared/controls';
import { command, pending, query, select } from '../shared/host';
import { Icon } from '../shared/icon';
import { steeringShown, whyNotSteer } from '../shared/steering';
import { CAPABILITY_OF, leverCommand } from './leverCommand';
import { text } from './texts';

const RANK = { error: 2, warning: 1, info: 0 } as const;

/** Gravest first; among equals the newest step first. */
export const gravestFirst = (findings: readonly FindingRow[]): readonly FindingRow[] =>
  [...findings].sort((a, b) => RANK[b.severity] - RANK[a.severity] || (b.step ?? 0) - (a.step ?? 0));

/** The subject that a tree can be opened for. */
const placeOf = (finding: FindingRow) =>
  finding.subjects?.find(
    ({ type }) => type === 'rollout' || type === 'node' || type === 'group' || type === 'prompt',
  );

const openTree = async (finding: FindingRow): Promise<void> => {
  const subject = placeOf(finding);
  if (!subject) return;
  const place = await query('locate', { [subject.type]: subject.id, step: finding.step });
  if (place) {
    select({
      incarnation: place.incarnation,
      step: place.step,
      prompt: place.prompt,
      group: place.group,
      rollout: place.rollout,
      node: place.node,
    });
  }
  await command({ id: 'open', panel: 'rolloutTree' });
};

/** A finding about a whole step is looked at prompt by prompt. */
const stepOf = (finding: FindingRow): number | null => {
  const subject = finding.subjects?.find(({ type }) => type === 'step');
  const step = subject === undefined ? Number.NaN : Number(subject.id);
  return Number.isInteger(step) && step >= 0 ? step : null;
};

const openBudgets = async (step: number): Promise<void> => {
  select({ step });
  await command({ id: 'open', panel: 'budgets' });
};

const ended = (label: string): string => (/…$/.test(label) ? label : `${label}…`);

export const Levers = ({
  finding,
  primary,
  only,
}: {
  finding: FindingRow;
  primary: boolean;
  only?: number;
}) => {
  const levers = (finding.levers ?? []).slice(0, only ?? 8).flatMap((lever) => {
    const what = leverCommand(lever, finding);
    return what === null ? [] : [{ lever, what }];
  });
  const step = stepOf(finding);
  const requested = (action: string): boolean =>
    pending.value.some(
      (subject) =>
        subject.action === action &&
        (finding.subjects ?? []).some(({ type, id }) => type === subject.type && id === subject.id),
    );
  return (
    <>
      {steeringShown() &&
        levers.map(({ lever, what }, i) => (
          <Button
            key={lever.label}
            look={primary && i === 0 ? 'primary' : 'secondary'}
            off={whyNotSteer(CAPABILITY_OF[lever.action])}
            requested={requested(lever.action)}
            onPress={() => void command(what)}
          >
            {ended(lever.label)}
          </Button>
        ))}
      {only === undefined && placeOf(finding) !== undefined && (
        <Button look="plain" onPress={() => void openTree(finding)}>
          {text('openTree')}
        </Button>
      )}
      {only === undefined && placeOf(finding) === undefined && step !== null && (
        <Button look="plain" onPress={() => void openBudgets(step)}>
          {text('openBudgets')}
        </Button>
      )}
    </>
  );
};

const since = (finding: FindingRow): string => {
  if (finding.steps > 1) return text('steps', { n: finding.steps });
  if (finding.steps === 1) return text('steps1');
  return finding.step === null ? '' : text('atStep', { step: finding.step });
};

const ICON = { error: 'error', warning: 'warning', info: 'info' } as const;

const Finding = ({ finding, primary }: { finding: FindingRow; primary: boolean }) => (
  <li class="ov-finding" data-finding={finding.id}>
    <div class="rs-row">
      <span class={`ov-${finding.severity}`}>
        <Icon name={ICON[finding.severity]} label={finding.severity} />
      </span>
      <h3 class="rs-strong rs-cut rs-grow" title={finding.title}>
        {finding.title}
      </h3>
      <span class="rs-second rs-small" title={finding.by === 'job' ? text('byJob') : undefined}>
        {since(finding)}
      </span>
    </div>
    <p class="rs-small">{finding.evidence}</p>
    <div class="rs-row ov-levers">
      <Levers finding={finding} primary={primary} />
    </div>
  </li>
);

/** Findings, gravest first: what, evidence with its whole, levers. At most one primary button in the panel. */
export const Findings = ({ view, mayBePrimary }: { view: OverviewView; mayBePrimary: boolean }) => {
  const findings = gravestFirst(view.findings);
  return (
    <section aria-label={text('findings')}>
      <div class="ov-side-head">
        <h2 class="rs-strong">{text('findings')}</h2>
        <span class="rs-second rs-small">
          {text('findingsCount', { open: findings.length, watched: view.watched.length })}
        </span>
      </div>
      {findings.length === 0 ? (
        <p class="rs-second rs-small ov-none">{text('noFindings')}</p>
      ) : (
        <ul>
          {findings.map((finding, i) => (
            <Finding
              key={finding.id}
              finding={finding}
              primary={mayBePrimary && i === 0 && finding.severity === 'error'}
            />
          ))}
        </ul>
      )}
    </section>
  );
};

/** The gravest finding as one line with its lever, for narrow panels. */
export const GravestLine = ({ view }: { view: OverviewView }) => {
  const [first, ...others] = gravestFirst(view.findings);
  if (!first) return null;
  return (
    <div class="ov-gravest">
      <span class={`ov-${first.severity}`}>
        <Icon name={ICON[first.severity]} label={first.severity} />
      </span>
      <span class="rs-strong rs-cut" title={first.evidence}>
        {first.title}
      </span>
      <span class="rs-second rs-small rs-cut rs-grow">
        {others.length === 0
          ? ''
          : others.length === 1
            ? text('andOneMore')
            : text('andMore', { n: others.length })}
      </span>
      <Levers finding={first} primary={first.severity === 'error'} only={1} />
    </div>
  );
};
