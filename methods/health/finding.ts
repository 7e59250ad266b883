/** 'error': figures cannot be trusted, or the run learns nothing. 'warning': much is wasted. 'info': worth knowing. */
export type Severity = 'error' | 'warning' | 'info';

/** One fact behind a finding, with the whole that it is a part of. */
export interface Evidence {
  readonly text: string;
  readonly count: number;
  readonly whole: number;
  /** What the whole counts: 'groups', 'tokens', 'rollouts'. */
  readonly of: string;
}

/** What a person can do about it: a steering request, ready to be previewed. */
export interface Lever {
  readonly label: string;
  readonly action: 'setMethod' | 'skip' | 'pause';
  readonly params: Readonly<Record<string, unknown>>;
}

/** What a finding is about. */
export interface FindingSubject {
  readonly type: 'run' | 'step' | 'prompt' | 'group';
  readonly id: string;
}

export interface Finding {
  /** Stable: the detector's id. */
  readonly id: string;
  readonly severity: Severity;
  /** One sentence with the numbers. */
  readonly title: string;
  readonly evidence: readonly Evidence[];
  readonly subjects: readonly FindingSubject[];
  readonly levers: readonly Lever[];
}

/** The evidence as text, a fact a line, each with its whole. */
export function evidenceInWords({ evidence }: Finding): string {
  return evidence.map(({ text, count, whole, of }) => `${count} of ${whole} ${of}: ${text}`).join('\n');
}

/** A pathology of a run: the finding if the facts show it, undefined if they do not or there is too little to say. */
export interface Detector<Facts> {
  readonly id: string;
  readonly title: string;
  /** What it looks for and from which value on it speaks. */
  readonly doc: string;
  readonly detect: (facts: Facts) => Finding | undefined;
}
