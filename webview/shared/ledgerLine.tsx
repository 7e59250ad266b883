import type { Ledger } from '../../protocol/panels/ledger';
import { count } from './format';
import { Icon } from './icon';
import { ledgerSums, mismatchOf, sumText } from './ledgerSums';
import { isStill } from './steering';
import { say } from './strings';

/** Rollouts outside the sum, in words; null: none. */
export const outsideText = ({ outside }: Ledger): string | null => {
  const parts = Object.entries(outside)
    .filter(([, n]) => n > 0)
    .map(([word, n]) => `${count(n)} ${word}`);
  return parts.length === 0 ? null : say('outside', { parts: parts.join(', ') });
};

/** The conservation sums in one line and, at the right, whether a recount agrees. `short`: the first sum only. */
export const LedgerLine = ({ ledger, short = false }: { ledger: Ledger; short?: boolean }) => {
  const lost = isStill();
  const sums = ledgerSums(ledger, lost).slice(0, short ? 1 : 4);
  const mismatch = mismatchOf(ledger);
  const outside = outsideText(ledger);
  return (
    <div class="rs-ledger-line rs-small">
      <span
        class="rs-cut"
        title={[...sums.map(sumText), outside ?? ''].filter((text) => text !== '').join('\n')}
      >
        {sums.map((sum, i) => (
          <span key={sum.whole[1] + String(i)}>
            {i > 0 && <span class="rs-second rs-ledger-dot">·</span>}
            {sumText(sum)}
          </span>
        ))}
        {outside !== null && !short && <span class="rs-second rs-ledger-outside">{outside}</span>}
      </span>
      {mismatch === null ? (
        <span class="rs-second">
          {short ? say('addsUpShort') : say('addsUp', { seq: count(ledger.seq) })}
        </span>
      ) : (
        <span class="rs-ledger-wrong rs-cut" title={mismatch}>
          <Icon name="error" small />
          {say('doesNotAddUp', { sentence: mismatch })}
        </span>
      )}
    </div>
  );
};
