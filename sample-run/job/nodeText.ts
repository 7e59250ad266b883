import type { TextRecord } from '../../protocol/journal/format';
import { PIECES, detokenise } from '../tasks/vocabulary';
import type { NodeRecord } from './records';

/** Enough digits for a picture, few enough for the wire. */
export const short = (value: number): number => Math.round(value * 1e4) / 1e4;

/** A node’s text with its token data, as the journal keeps it and `tokens` answers it. */
export function textRecord(node: NodeRecord): TextRecord {
  const { tokens } = node;
  const ids = [...tokens.ids.subarray(0, tokens.length)];
  const { text, offsets } = detokenise(ids);
  const trains = node.rollout.use === 'train';
  return {
    node: node.id,
    text,
    offsets: [...offsets.subarray(0, tokens.length)],
    ids,
    logProb: ids.map((_, i) => short(tokens.logProb[i]!)),
    entropy: ids.map((_, i) => short(tokens.entropy[i]!)),
    trained: ids.map((_, i) => (trains && tokens.sampled[i] === 1 ? 1 : 0)),
    alternatives: ids.map((_, i) =>
      tokens.alternatives(i).map(({ token, probability }) => [wordOf(token), short(probability)]),
    ),
  };
}

/** The end token stands for no text; a person still has to see it. */
const wordOf = (token: number): string => {
  const piece = PIECES[token] ?? '';
  return piece === '' ? '⟨end⟩' : piece;
};

/** Mean and greatest value of bins; the last one may be short. */
export function binned(
  values: ArrayLike<number>,
  from: number,
  to: number,
  bin: number,
): { mean: number[]; greatest: number[] } {
  const mean: number[] = [];
  const greatest: number[] = [];
  for (let start = from; start < to; start += bin) {
    const end = Math.min(to, start + bin);
    let sum = 0;
    let most = -Infinity;
    for (let i = start; i < end; i++) {
      const value = values[i]!;
      sum += value;
      if (value > most) most = value;
    }
    mean.push(short(sum / (end - start)));
    greatest.push(short(most));
  }
  return { mean, greatest };
}
