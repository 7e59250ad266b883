/** Key of an attached or opened run in this window: `live:<run id>` or `recorded:<folder>`. */
export type RunKey = string;

/** An open run among the others. */
export interface RunName {
  readonly key: RunKey;
  readonly name: string;
}

/** The one selection that all panels and native views share. Narrower fields are null when not chosen. */
export interface Selection {
  readonly run: RunKey | null;
  readonly incarnation: number | null;
  /** null: follow the newest step. */
  readonly step: number | null;
  readonly prompt: string | null;
  readonly group: string | null;
  readonly rollout: string | null;
  readonly node: string | null;
}

export const NO_SELECTION: Selection = {
  run: null,
  incarnation: null,
  step: null,
  prompt: null,
  group: null,
  rollout: null,
  node: null,
};

export type ConnectionState =
  'none' | 'connecting' | 'live' | 'behind' | 'paused' | 'lost' | 'refused' | 'ended' | 'recorded';

/** What the header of every panel and the status bar say of the selected run. */
export interface RunHeader {
  readonly run: RunKey;
  readonly name: string;
  readonly incarnation: number;
  readonly state: ConnectionState;
  /** Now − t of the last applied event, seconds, half the round trip included; null when not live. */
  readonly behindSeconds: number | null;
  /** Paused: how, by whom, since when (Unix ms). */
  readonly paused: { readonly mode: string; readonly by: string; readonly since: number } | null;
  /** Lost or refused: when, last seq, when the next try is due (Unix ms; null: none), what to do. */
  readonly lost: {
    readonly since: number;
    readonly lastSeq: number;
    readonly nextTryAt: number | null;
    readonly sentence: string;
    /** Another token would help. */
    readonly wantsToken?: boolean;
  } | null;
  readonly recorded: {
    readonly date: number;
    readonly steps: number;
    /** Read from files of results, not from a journal. */
    readonly fromFiles?: boolean;
  } | null;
  readonly step: number | null;
  readonly firstStep: number | null;
  readonly lastStep: number | null;
  readonly phase: string | null;
  readonly policyVersion: number | null;
  /** False: steering is not there (recorded, read scope). With `whyNot` for the title of a disabled button. */
  readonly canSteer: boolean;
  readonly whyNot: string | null;
  readonly capabilities: readonly string[];
  readonly allocationMethod: string | null;
  readonly methods: readonly {
    readonly kind: string;
    readonly method: string;
    readonly title: string;
    readonly active: boolean;
    readonly parameters: Readonly<Record<string, number | string | boolean | null>>;
  }[];
  readonly device: string | null;
  readonly startedAt: number;
  readonly successThreshold: number;
  readonly openFindings: number;
  /** Samples left out of the stream in the last minute; structure never is. */
  readonly droppedSamples: number;
}
