/** A text with the tokens to be learnt from. */
export interface TrainingSequence {
  readonly tokens: ArrayLike<number>;
  /** Tokens at the start that are given: never a target. At least 1. */
  readonly promptLength: number;
  /** Whether the token at this position is a target. Without it, all tokens after the prompt are. */
  readonly isTarget?: (position: number) => boolean;
}

/** One predicted token: tokens[position] of sequences[sequence]. */
export interface Output {
  readonly sequence: number;
  readonly position: number;
  /** Packed row of the state that predicts it. */
  readonly row: number;
}

/**
 * Texts of different lengths, sorted by length and packed time by time: the rows of time t are a prefix
 * of the rows of time t - 1, so that every step is one dense matrix product. A text's last token is
 * never read, only predicted.
 */
export class PackedSequences {
  readonly outputs: Output[] = [];
  /** Packed row at which each time starts; one more at the end. */
  readonly starts: number[] = [0];
  /** Token read in each packed row. */
  readonly inputs: Int32Array;
  /** Sequence of each packed row. */
  readonly owners: Int32Array;
  /** For each sequence, how many tokens all earlier ones read: where its own begin, text after text. */
  readonly bases: number[] = [];

  constructor(readonly sequences: readonly TrainingSequence[]) {
    const reads = sequences.map(({ tokens }) => Math.max(0, tokens.length - 1));
    let total = 0;
    for (const read of reads) {
      this.bases.push(total);
      total += read;
    }
    const order = reads.map((_, i) => i).sort((a, b) => reads[b]! - reads[a]! || a - b);
    this.inputs = new Int32Array(total);
    this.owners = new Int32Array(total);
    let row = 0;
    for (let t = 0; row < total; t++) {
      for (const sequence of order) {
        if (t >= reads[sequence]!) break;
        const { tokens, promptLength, isTarget } = sequences[sequence]!;
        this.inputs[row] = tokens[t]!;
        this.owners[row] = sequence;
        const position = t + 1;
        if (position >= promptLength && (isTarget === undefined || isTarget(position))) {
          this.outputs.push({ sequence, position, row });
        }
        row++;
      }
      this.starts.push(row);
    }
  }

  get times(): number {
    return this.starts.length - 1;
  }

  get rows(): number {
    return this.inputs.length;
  }

  /** Rows of one time. */
  count(time: number): number {
    return this.starts[time + 1]! - this.starts[time]!;
  }

  /** Rows of the first time: the most there are. */
  get batch(): number {
    return this.starts[1] ?? 0;
  }
}
