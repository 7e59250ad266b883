import type { Ledger } from '../../protocol/panels/ledger';
import { count } from './format';
import { say } from './strings';

/** `whole = part + part`, each with its word. */
export interface Sum {
  readonly whole: readonly [number, string];
  readonly parts: readonly (readonly [number, string])[];
}

const present = (parts: readonly (readonly [number, string])[]): readonly (readonly [number, string])[] =>
  parts.filter(([n]) => n !== 0);

/** Words of a rule that took rollouts out: `tooLong` → `too long`. */
export const plainCode = (code: string): string =>
  code
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[-_]/g, ' ')
    .toLowerCase();

const byRule = (reasons: Readonly<Record<string, number>>): readonly (readonly [number, string])[] =>
  Object.entries(reasons)
    .filter(([, n]) => n > 0)
    .sort(([, a], [, b]) => b - a)
    .map(([code, n]) => [n, plainCode(code)] as const);

/**
 * The conservation sums of a ledger. A sum of one part says nothing and is left out.
 *
 * @param lost the connection is lost: what ran is `last seen running`.
 */
export const ledgerSums = (ledger: Ledger, lost = false): readonly Sum[] => {
  const sums: Sum[] = [
    {
      whole: [ledger.planned, say('planned')],
      parts: present([
        [ledger.launched, say('launched')],
        [ledger.neverLaunched, say('neverLaunched')],
      ]),
    },
    {
      whole: [ledger.launched, say('launched')],
      parts: present([
        [ledger.running, lost ? say('lastSeen') : say('running')],
        [ledger.finished, say('finished')],
        [ledger.discarded, say('discarded')],
        [ledger.killed, say('killed')],
        [ledger.carriedOver, say('carriedOver')],
      ]),
    },
  ];
  const discarded = byRule(ledger.discardedBy);
  if (discarded.length > 1) sums.push({ whole: [ledger.discarded, say('discarded')], parts: discarded });
  const killed = byRule(ledger.killedBy);
  if (killed.length > 1) sums.push({ whole: [ledger.killed, say('killed')], parts: killed });
  return sums.filter(({ whole, parts }) => whole[0] > 0 && parts.length > 0);
};

export const sumText = ({ whole, parts }: Sum): string => {
  const term = ([n, word]: readonly [number, string]): string => `${count(n)} ${word}`;
  return `${term(whole)} = ${parts.map(term).join(' + ')}`;
};

/** The first thing that does not add up, as a sentence with its numbers; null: everything adds up. */
export const mismatchOf = (ledger: Ledger): string | null => {
  const told = ledger.mismatches[0];
  if (told !== undefined) return told;
  const wrong = ledgerSums(ledger).find(
    ({ whole, parts }) => parts.reduce((total, [n]) => total + n, 0) !== whole[0],
  );
  return wrong === undefined ? null : sumText(wrong);
};
