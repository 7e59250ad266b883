import { signal, type Signal } from '@preact/signals';
import { HEAT_MEASURES, type HeatMeasure, type StepRange } from '../../protocol/panels/budgets';
import { readNumber, readOneOf, readText, uiState } from '../shared/uiState';
import { readSort, type Sort } from './promptOrder';

/** What a person chose in this panel; kept while the page is away. */

export const LAYOUTS = ['table', 'heat', 'treemap'] as const;
export type Layout = (typeof LAYOUTS)[number];
export const SCOPES = ['step', 'range', 'run'] as const;
export type Scope = (typeof SCOPES)[number];
export const AREAS = ['tokens', 'launched'] as const;
export type Area = (typeof AREAS)[number];
export const TREEMAP_COLOURS = ['rate', 'spread', 'gradientShare'] as const;
export type TreemapColour = (typeof TREEMAP_COLOURS)[number];
export const UNITS = ['rollouts', 'tokens'] as const;

/** Numbered anew with the filter's language. */
export const filterText = uiState('budgets.filter', 2, '', readText);
export const scope = uiState<Scope>('budgets.scope', 2, 'step', readOneOf(SCOPES));
export const layout = uiState<Layout>('budgets.layout', 1, 'table', readOneOf(LAYOUTS));
export const measure = uiState<HeatMeasure>('budgets.measure', 1, 'launched', readOneOf(HEAT_MEASURES));
export const area = uiState<Area>('budgets.area', 1, 'tokens', readOneOf(AREAS));
export const treemapColour = uiState<TreemapColour>(
  'budgets.treemapColour',
  1,
  'rate',
  readOneOf(TREEMAP_COLOURS),
);
export const unit = uiState<(typeof UNITS)[number]>('budgets.unit', 1, 'rollouts', readOneOf(UNITS));
export const sorting = uiState<Sort>('budgets.sort', 2, { by: 'launched', descending: true }, readSort);
/** CSS pixels a row of the heat map; 0: all rows fit. */
export const heatRowHeight = uiState('budgets.heatRow', 1, 0, readNumber);

const isStep = (value: unknown): value is number | null =>
  value === null || (typeof value === 'number' && Number.isInteger(value) && value >= 0);

/** The range that was chosen last; null: none was. */
export const chosenRange: Signal<StepRange | null> = uiState<StepRange | null>(
  'budgets.range',
  1,
  null,
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    'from' in value &&
    'to' in value &&
    isStep(value.from) &&
    isStep(value.to)
      ? { from: value.from, to: value.to }
      : undefined,
);

/** Steps of a range before a person has chosen one: the last ten up to the shown step. */
const FIRST_RANGE = 10;

export const rangeOf = (shown: number | null): StepRange | null => {
  switch (scope.value) {
    case 'step':
      return null;
    case 'run':
      return { from: null, to: null };
    case 'range':
      return (
        chosenRange.value ?? {
          from: shown === null ? 0 : Math.max(0, shown - FIRST_RANGE + 1),
          to: shown,
        }
      );
  }
};

/** The drawer of the why card, in medium panels. */
export const drawer = signal(false);
