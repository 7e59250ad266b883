import type { BudgetsView } from '../../protocol/panels/budgets';
import { count } from '../shared/format';
import { LedgerLine } from '../shared/ledgerLine';
import { breakpoint } from '../shared/panelSize';
import { isStill } from '../shared/steering';
import { STATUS_FILL, STATUS_LINE, type Status } from '../shared/textures';
import { text } from './texts';

interface Part {
  readonly status: Status;
  readonly n: number;
  readonly word: string;
}

/** Where the planned rollouts are, in the order that is always the same; empty parts are left out. */
export const ledgerParts = ({ ledger }: BudgetsView, narrow: boolean, lost: boolean): readonly Part[] => {
  const parts: readonly Part[] = [
    { status: 'used', n: ledger.used, word: text(narrow ? 'usedShort' : 'used') },
    { status: 'noGradient', n: ledger.noGradient, word: text(narrow ? 'noGradientShort' : 'noGradient') },
    { status: 'undecided', n: ledger.undecided, word: text(narrow ? 'undecidedShort' : 'undecided') },
    { status: 'running', n: ledger.running, word: text(lost ? 'lastSeen' : 'running') },
    { status: 'discarded', n: ledger.discarded, word: text('discarded') },
    { status: 'killed', n: ledger.killed, word: text('killed') },
    { status: 'carriedOver', n: ledger.carriedOver, word: text('carriedOver') },
    { status: 'neverLaunched', n: ledger.neverLaunched, word: text('neverLaunched') },
  ];
  return parts.filter(({ n }) => n > 0);
};

const Label = ({ part, width }: { part: Part; width?: string }) => (
  <span class="bu-label rs-cut" style={width === undefined ? undefined : { minWidth: width }}>
    <b>{count(part.n)}</b> <span class="rs-second">{part.word}</span>
  </span>
);

/** One bar of 12 px over the full width, names above, sums below, the recount at the right. */
export const LedgerBar = ({ view }: { view: BudgetsView }) => {
  const narrow = breakpoint.value === 'narrow';
  const lost = isStill();
  const parts = ledgerParts(view, narrow, lost);
  const whole = parts.reduce((sum, { n }) => sum + n, 0);
  // Two names stand above their parts; the parts of the others are too thin for it.
  const wide = parts.filter(
    ({ n, status }) => n / whole > 0.2 && (status === 'used' || status === 'noGradient'),
  );
  const others = parts.filter((part) => !wide.includes(part));
  if (whole === 0) return null;
  const name = text('ledger', { planned: count(view.ledger.planned), step: view.step });
  return (
    <section class="bu-ledger" aria-label={name}>
      <div class="bu-labels rs-small">
        {wide.map((part, i) => (
          <Label
            key={part.status}
            part={part}
            {...(i < wide.length - 1 ? { width: `${(part.n / whole) * 100}%` } : {})}
          />
        ))}
        <span class="bu-labels-right">
          {others.map((part) => (
            <Label key={part.status} part={part} />
          ))}
        </span>
      </div>
      <div
        class="bu-bar"
        role="img"
        aria-label={`${name}: ${parts.map(({ n, word }) => `${count(n)} ${word}`).join(', ')}`}
      >
        {parts.map(({ status, n, word }) => (
          <svg key={status} class="bu-part" style={{ flexGrow: n }} height="12">
            <title>{`${count(n)} ${word}`}</title>
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
      <LedgerLine ledger={view.ledger} short={narrow} />
    </section>
  );
};
