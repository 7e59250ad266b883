import { signal } from '@preact/signals';
import { readFlag, readNumber, readOneOf, uiState } from '../shared/uiState';
import { KINDS, type Kind } from './drawnView';

export const SOURCES = ['heldOut', 'training'] as const;
export type Source = (typeof SOURCES)[number];
export const LAYOUTS = ['curves', 'prompts'] as const;
export type Layout = (typeof LAYOUTS)[number];

export const source = uiState<Source>('passkSource', 1, 'heldOut', readOneOf(SOURCES));
export const curveBy = uiState<Kind>('passkCurve', 1, 'step', readOneOf(KINDS));
export const layout = uiState<Layout>('passkLayout', 1, 'curves', readOneOf(LAYOUTS));
export const extrapolate = uiState('passkExtrapolate', 1, true, readFlag);
export const bootstrap = uiState('passkBootstrap', 1, false, readFlag);

/** Keys of what is shown and compared with; null: the newest, the first. */
export const shownKey = signal<string | null>(null);
export const againstKey = signal<string | null>(null);
/** Set of problems; null: the one evaluated last. */
export const heldOutSet = signal<string | null>(null);
/** k to which the fixed set of prompts reaches; null: half of the prompts. */
export const upTo = signal<number | null>(null);
/** Reward from which a rollout is a success; null: as the job says. */
export const threshold = uiState<number | null>('passkThreshold', 1, null, readNumber);
/** Prompts with a curve of their own. */
export const chosenPrompts = signal<readonly string[]>([]);
/** Other runs that are put beside the shown one; null: all that are open. */
export const chosenRuns = signal<readonly string[] | null>(null);
/** k of "coverage" in the chart over the steps; null: the largest. */
export const coverageK = signal<number | null>(null);

/** Place in `view.k` under the pointer or the caret; −1: none. */
export const caretK = signal(-1);
/** Curve under the caret; null: the shown one. */
export const caretCurve = signal<string | null>(null);

/** Another question: what was chosen among the answers of the old one is not among those of the new one. */
export const forgetChoices = (): void => {
  shownKey.value = null;
  againstKey.value = null;
  upTo.value = null;
  coverageK.value = null;
  caretK.value = -1;
  caretCurve.value = null;
};
