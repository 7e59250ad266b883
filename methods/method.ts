import type { Parameter } from './parameters';

/**
 * How sure we are that a rule is the published one. 'exact': read in the paper or in the official code;
 * 'reconstructed': put together from secondary sources, and marked so wherever a person sees it.
 */
export type Confidence = 'exact' | 'reconstructed';

export interface MethodSource {
  /** 'arXiv 2509.25849', or empty where there is only code. */
  readonly paper: string;
  /** Equation, algorithm or section. */
  readonly equation: string;
  /** 'owner/repository:file:function', or empty where no code is public. */
  readonly code: string;
  /** Commit of that code that was read. */
  readonly commit: string;
}

/** What every published rule declares about itself, for forms, records and the generated documentation. */
export interface MethodDescription {
  /** Stable; what requests and records name it by. */
  readonly id: string;
  readonly title: string;
  /** One or two sentences: what the rule does. */
  readonly summary: string;
  readonly confidence: Confidence;
  readonly source: MethodSource;
  readonly parameters: readonly Parameter[];
}
