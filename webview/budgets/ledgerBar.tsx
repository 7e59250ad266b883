import type { BudgetsView } from '../../protocol/panels/budgets';
import type { TokenLedger } from '../../protocol/panels/ledger';
import { count, decimal, large, share } from '../shared/format';
import { command } from '../shared/host';
import { Icon } from '../shared/icon';
import { LedgerLine } from '../shared/ledgerLine';
import { breakpoint } from '../shared/panelSize';
import { Segmented } from '../shared/segmented';
import { isStill } from '../shared/steering';
import { say } from '../shared/strings';
import { STATUS_FILL, STATUS_LINE, type Status } from '../shared/textures';
import { unit } from './panelState';
import { subjectText } from './subjectText';
import { text } from './texts';

export interface Part {
  readonly key: string;
  readonly status: Status;
  readonly n: number;
  readonly word: string;
}

/** Where the planned rollouts are, in the order that is always the same; empty parts are left out. */
export const ledgerParts = ({ ledger }: BudgetsView, narrow: boolean, lost: boolean): readonly Part[] => {
  const part = (status: Status, n: number, word: string): Part => ({ key: status, status, n, word });
  return [
    part('used', ledger.used, text(narrow ? 'usedShort' : 'used')),
    part('noGradient', ledger.noGradient, text(narrow ? 'noGradientShort' : 'noGradient')),
    part('undecided', ledger.undecided, text(narrow ? 'undecidedShort' : 'undecided')),
    part('running', ledger.running, text(lost ? 'lastSeen' : 'running')),
    part('discarded', ledger.discarded, text('discarded')),
    part('killed', ledger.killed, text('killed')),
    part('carriedOver', ledger.carriedOver, text('carriedOver')),
    part('neverLaunched', ledger.neverLaunched, text('neverLaunched')),
  ].filter(({ n }) => n > 0);
};

/** What the tokens were spent on. */
export const tokenParts = (tokens: TokenLedger, narrow: boolean, lost: boolean): readonly Part[] => {
  const part = (key: string, status: Status, n: number, word: string): Part => ({ key, status, n, word });
  return [
    part('used', 'used', tokens.used, text(narrow ? 'usedShort' : 'used')),
    part('noGradient', 'noGradient', tokens.noGradient, text(narrow ? 'noGradientShort' : 'inZeroGradient')),
    part('undecided', 'undecided', tokens.undecided, text(narrow ? 'undecidedShort' : 'inUndecided')),
    part('running', 'running', tokens.running, text(lost ? 'lastSeen' : 'running')),
    part('discarded', 'discarded', tokens.discarded, text('discarded')),
    part('pruned', 'killed', tokens.pruned, text('pruned')),
    part('aborted', 'killed', tokens.aborted, text('aborted')),
    part('carriedOver', 'carriedOver', tokens.carriedOver, text('carriedOver')),
    part('probes', 'neverLaunched', tokens.probes, text('probes')),
    part('outside', 'neverLaunched', tokens.outside, text('outsideTokens')),
    part('released', 'undecided', tokens.released, text('releasedTokens')),
  ].filter(({ n }) => n > 0);
};

const Label = ({ part, width, figure }: { part: Part; width?: string; figure: (n: number) => string }) => (
  <span class="bu-label rs-cut" style={width === undefined ? undefined : { minWidth: width }}>
    <b>{figure(part.n)}</b> <span class="rs-second">{part.word}</span>
  </span>
);

const Bar = ({
  name,
  parts,
  figure,
}: {
  name: string;
  parts: readonly Part[];
  figure: (n: number) => string;
}) => {
  const whole = parts.reduce((sum, { n }) => sum + n, 0);
  // Two names stand above their parts; the parts of the others are too thin for it.
  const wide = parts.filter(
    ({ n, status }) => n / whole > 0.2 && (status === 'used' || status === 'noGradient'),
  );
  const others = parts.filter((part) => !wide.includes(part));
  return (
    <>
      <div class="bu-labels rs-small">
        {wide.map((part, i) => (
          <Label
            key={part.key}
            part={part}
            figure={figure}
            {...(i < wide.length - 1 ? { width: `${(part.n / whole) * 100}%` } : {})}
          />
        ))}
        <span class="bu-labels-right">
          {others.map((part) => (
            <Label key={part.key} part={part} figure={figure} />
          ))}
        </span>
      </div>
      <div
        class="bu-bar"
        role="img"
        aria-label={`${name}: ${parts.map(({ n, word }) => `${count(n)} ${word}`).join(', ')}`}
      >
        {parts.map(({ key, status, n, word }) => (
          <svg key={key} class="bu-part" style={{ flexGrow: n }} height="12">
            <title>{`${count(n)} ${word}, ${share(n / whole)}`}</title>
            <rect
              x=".5"
              y=".5"
              width="100%"
              height="11"
              style={{ width: 'calc(100% - 1px)' }}
              fill={STATUS_FILL[status]}
              stroke={STATUS_LINE[status]}
              stroke-dasharray={status === 'neverLaunched' ? '2 2' : undefined}
            />
          </svg>
        ))}
      </div>
    </>
  );
};

/** `1.76 M tokens = 561 k used for a gradient (32 %) + …`; the exact counts stand in the title. */
const TokenSums = ({ view, parts }: { view: BudgetsView; parts: readonly Part[] }) => {
  const { total } = view.tokens;
  const sum = (figure: (n: number) => string, withShare: boolean): string =>
    `${text('tokensWhole', { n: figure(total) })} = ${parts
      .map(({ n, word }) => `${figure(n)} ${word}${withShare ? ` (${share(n / total)})` : ''}`)
      .join(' + ')}`;
  return (
    <div class="rs-ledger-line rs-small">
      <span class="rs-cut" title={sum(count, false)}>
        {sum(large, true)}
      </span>
    </div>
  );
};

/** `42 of 96 closed groups gave no gradient, 44 %; 41.2 ± 7.9 were to be expected …`. */
export const zeroGradientText = ({ zeroGradient, subject }: BudgetsView): string => {
  const { judged, observed, expected, deviation, unbiased, posterior, binary } = zeroGradient;
  if (judged === 0) return text('zeroGradientNone', { subject: subjectText(subject) });
  const found = text('zeroGradient', {
    observed: count(observed),
    judged: count(judged),
    share: share(observed / judged),
  });
  if (expected === null || deviation === null) return found;
  const figure = (n: number): string => (n < 100 ? decimal(n, 1) : count(n));
  const wanted = text('zeroGradientExpected', {
    expected: figure(expected),
    reach: figure(1.96 * deviation),
    share: share(expected / judged),
    unbiased: count(unbiased),
    posterior: count(posterior),
  });
  return `${found} ${wanted}${binary ? '' : ` ${text('zeroGradientNotBinary')}`}`;
};

/** Counts that do not add up, each with the events behind it. */
const Mismatches = ({ view }: { view: BudgetsView }) => {
  const { mismatches, mismatchGroups } = view.ledger;
  if (mismatches.length === 0) return null;
  return (
    <ul class="bu-mismatches rs-small" aria-label={text('mismatches')}>
      {mismatches.slice(0, 3).map((sentence, i) => {
        const group = mismatchGroups[i];
        return (
          <li key={sentence} class="rs-row">
            <Icon name="error" small />
            <span class="rs-cut" title={sentence}>
              {sentence}
            </span>
            {group !== undefined && (
              <button
                type="button"
                class="rs-link"
                title={text('mismatchEvents', { group })}
                onClick={() => void command({ id: 'showEvents', subjectType: 'group', subject: group })}
              >
                {say('events')}
              </button>
            )}
            {i === 2 && mismatches.length > 3 && (
              <span class="rs-second">{say('more', { count: count(mismatches.length - 3) })}</span>
            )}
          </li>
        );
      })}
    </ul>
  );
};

/** One bar of 12 px over the full width, names above, sums below: rollouts of the ledger, or where the tokens went. */
export const LedgerBar = ({ view }: { view: BudgetsView }) => {
  const narrow = breakpoint.value === 'narrow';
  const lost = isStill();
  const inTokens = unit.value === 'tokens';
  const subject = subjectText(view.subject);
  const name = inTokens
    ? text('ledgerTokens', { total: count(view.tokens.total), subject })
    : text('ledger', { planned: count(view.ledger.planned), subject });
  const parts = inTokens ? tokenParts(view.tokens, narrow, lost) : ledgerParts(view, narrow, lost);
  if (view.ledger.planned === 0 && view.tokens.total === 0) return null;
  return (
    <section class="bu-ledger" aria-label={name}>
      {parts.length === 0 ? (
        <p class="rs-small rs-second">{text('noTokens')}</p>
      ) : (
        <Bar name={name} parts={parts} figure={inTokens ? large : count} />
      )}
      {inTokens ? (
        <TokenSums view={view} parts={parts} />
      ) : (
        <LedgerLine ledger={view.ledger} short={narrow} />
      )}
      <Mismatches view={view} />
      <div class="bu-second-line rs-small">
        <Segmented
          label={text('unit')}
          value={unit.value}
          options={[
            { value: 'rollouts', label: text('unitRollouts'), title: text('unitRolloutsTitle') },
            { value: 'tokens', label: text('unitTokens'), title: text('unitTokensTitle') },
          ]}
          onChange={(value) => (unit.value = value)}
        />
        <span class="rs-cut rs-second" title={zeroGradientText(view)}>
          {zeroGradientText(view)}
        </span>
      </div>
    </section>
  );
};
