/** A rollout's text from root to end: the pieces of the nodes on its path, in order. */
export interface TextParams {
  readonly rollout: string;
  /** Window over the path's tokens. */
  readonly from: number;
  readonly to: number;
}

export interface TextPiece {
  readonly node: string;
  readonly rollout: string;
  readonly origin: string;
  readonly kind: string;
  /** Positions on the path. */
  readonly from: number;
  readonly to: number;
  /** Position in the node of the first token. */
  readonly at: number;
  readonly text: string;
  readonly offsets: readonly number[];
  readonly logProb: readonly number[] | null;
  readonly entropy: readonly number[] | null;
  readonly trained: readonly number[] | null;
  readonly versions: readonly (readonly [number, number])[];
  readonly alternatives: readonly (readonly (readonly [string, number])[])[] | null;
  /** The fork at which this piece leaves the one before. */
  readonly fork: {
    readonly decision: string | null;
    readonly label: string;
    readonly siblings: number;
  } | null;
}

export interface TextView {
  readonly rollout: string;
  readonly prompt: string;
  readonly promptText: string;
  readonly length: number;
  readonly pieces: readonly TextPiece[];
  /** Why nothing can be shown, for a person; null when there is text. */
  readonly missing: string | null;
}
