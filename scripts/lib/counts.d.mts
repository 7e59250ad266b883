export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export function closingLine(counts: Counts): string;

export function sum(all: readonly Counts[]): Counts;

export function countsOf(
  how: 'exit' | 'vitest' | 'closingLine',
  ended: { readonly code: number; readonly output: string },
  report: string,
): Counts;
