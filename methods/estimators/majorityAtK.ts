import { Refusal } from '../refusal';
import { checkK } from './counts';

/** Probabilities of drawing j marked items among `draws` from `pool` with `marked` marked ones, for j = from, from+1, … */
function hypergeometric(pool: number, marked: number, draws: number): { from: number; p: number[] } {
  const from = Math.max(0, draws - (pool - marked));
  const to = Math.min(marked, draws);
  const mode = Math.min(to, Math.max(from, Math.floor(((draws + 1) * (marked + 1)) / (pool + 2))));
  const p = new Array<number>(to - from + 1).fill(0);
  p[mode - from] = 1;
  // Outwards from the mode, so that nothing that matters underflows; the sum makes them probabilities.
  const ratio = (j: number): number =>
    ((marked - j) * (draws - j)) / ((j + 1) * (pool - marked - draws + j + 1));
  for (let j = mode; j < to; j++) p[j + 1 - from] = p[j - from]! * ratio(j);
  for (let j = mode; j > from; j--) p[j - 1 - from] = p[j - from]! / ratio(j - 1);
  const total = p.reduce((sum, x) => sum + x, 0);
  return { from, p: p.map((x) => x / total) };
}

/** Chance that of `k` answers each other label appears at most `most` times, by how many appear exactly so often. */
function leaders(others: readonly number[], pool: number, k: number, most: number): number[] {
  // state[ties][left]: probability, with `left` answers still to be assigned to the labels that follow.
  let state: number[][] = [new Array<number>(k + 1).fill(0)];
  state[0]![k] = 1;
  let remaining = pool;
  for (const count of others) {
    const next: number[][] = Array.from({ length: state.length + 1 }, () => new Array<number>(k + 1).fill(0));
    for (let left = 0; left <= k; left++) {
      if (left > remaining || !state.some((row) => row[left]! > 0)) continue;
      const { from, p } = hypergeometric(remaining, count, left);
      for (let j = from; j < from + p.length && j <= most; j++) {
        for (const [ties, row] of state.entries()) {
          next[ties + (j === most ? 1 : 0)]![left - j]! += row[left]! * p[j - from]!;
        }
      }
    }
    state = next;
    remaining -= count;
  }
  return state.map((row) => row[0]!);
}

/**
 * maj@k without replacement: probability that a plurality vote of a uniformly random k-subset of the answers gives
 * the correct one, exactly (multivariate hypergeometric). `tiesShared`: a tie for first place counts 1 / number of
 * leaders (Wang et al., "Self-consistency", arXiv 2203.11171, break ties at random); `tiesWrong`: a tie is wrong.
 * An answer that could not be parsed must be a label of its own, or left out before.
 *
 * `counts[label]` answers gave that label; `correct` is the index of the right label. `undefined` for k > n.
 * Throws a Refusal unless the counts are whole numbers and `correct` is one of the labels.
 */
export function majorityAtK(
  counts: readonly number[],
  correct: number,
  k: number,
): { readonly tiesShared: number; readonly tiesWrong: number } | undefined {
  checkK(k);
  const right = counts[correct];
  if (right === undefined || counts.some((count) => !Number.isInteger(count) || count < 0)) {
    throw new Refusal(
      'bad-count',
      'Answer counts must be whole numbers, and the correct answer one of their labels.',
    );
  }
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (k > total) return undefined;
  const others = counts.filter((count, label) => label !== correct && count > 0);
  const votes = hypergeometric(total, right, k);
  let tiesShared = 0;
  let tiesWrong = 0;
  votes.p.forEach((probability, i) => {
    const most = votes.from + i;
    if (most === 0) return;
    leaders(others, total - right, k - most, most).forEach((chance, ties) => {
      tiesShared += (probability * chance) / (ties + 1);
      if (ties === 0) tiesWrong += probability * chance;
    });
  });
  return { tiesShared, tiesWrong };
}
