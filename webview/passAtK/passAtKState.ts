import { signal } from '@preact/signals';
import { readOneOf, uiState } from '../shared/uiState';

export const SOURCES = ['heldOut', 'training'] as const;
export type Source = (typeof SOURCES)[number];

export const source = uiState<Source>('passkSource', 1, 'heldOut', readOneOf(SOURCES));
/** null: the first evaluated, the newest evaluated. */
export const againstStep = signal<number | null>(null);
export const shownStep = signal<number | null>(null);
/** Place in `view.k` under the pointer; −1: none. */
export const hoveredK = signal(-1);
