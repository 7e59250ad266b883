import { count, pointsValue, withHalfWidth } from '../shared/format';
import type { TableData } from '../shared/tableBehind';
import { curveName, type DrawnView } from './drawnView';
import { tradedAt, type OverSteps } from './overSteps';
import { promptsOf } from './readoutText';
import { text } from './texts';

const nameAt = (view: DrawnView, over: OverSteps, i: number): string =>
  curveName(view, String(over.steps[i] ?? ''));

/** Whether coverage is being traded for accuracy, since when, and at which steps the curves cross. */
export const tradeText = (view: DrawnView, over: OverSteps): string => {
  const against = curveName(view, view.against ?? '');
  const unit = text(view.by === 'step' ? 'steps' : 'checkpoints');
  const traded = tradedAt(over);
  const [first] = traded;
  // "From then on" is only said where every later step has it too.
  const lasting = first !== undefined && traded.length === over.steps.length - first;
  const trade =
    first === undefined
      ? text('notTraded', { k: over.k, against })
      : text(lasting ? 'tradedSince' : 'tradedAt', {
          first: nameAt(view, over, first),
          count: traded.length,
          all: over.steps.length - 1,
          unit,
          k: over.k,
          against,
        });
  const crossed = over.crossing.flatMap((k, i) => (k === null ? [] : [{ k, i }]));
  const [earliest] = crossed;
  const crossing = earliest
    ? text('crossedAt', {
        count: crossed.length,
        all: over.steps.length - 1,
        unit,
        first: nameAt(view, over, earliest.i),
        k: count(earliest.k),
      })
    : text('neverCrossed');
  return `${trade} ${crossing}`;
};

/** One entry in a sentence, for mouse and caret alike. */
export const overReadout = (view: DrawnView, over: OverSteps, i: number): string => {
  const crossing = over.crossing[i] ?? null;
  return [
    nameAt(view, over, i),
    text('overAt', { k: 1, value: withHalfWidth(over.accuracy[i] ?? NaN, over.accuracyHalf[i] ?? NaN) }),
    text('overAt', {
      k: over.k,
      value: withHalfWidth(over.coverage[i] ?? NaN, over.coverageHalf[i] ?? NaN),
    }),
    crossing === null ? text('overNoCrossing') : text('crossing', { k: count(crossing) }),
    promptsOf(over.prompts[i] ?? 0),
  ].join(' · ');
};

export const overTable = (view: DrawnView, over: OverSteps): TableData => ({
  caption: text('overName', { k: over.k, against: curveName(view, view.against ?? '') }),
  columns: [
    { name: view.by === 'step' ? text('colStep') : text('colCheckpoint'), numeric: true },
    { name: text('passAt', { k: 1 }), numeric: true },
    { name: '95 % ±', numeric: true },
    { name: text('passAt', { k: over.k }), numeric: true },
    { name: '95 % ± ', numeric: true },
    { name: text('crossAt'), numeric: true },
    { name: text('colPrompts'), numeric: true },
  ],
  rows: over.steps.length,
  cell: (row, column) => {
    const crossing = over.crossing[row] ?? null;
    const half = (value: number | undefined): string =>
      value === undefined || Number.isNaN(value) ? text('none') : value.toFixed(1);
    return (
      [
        count(over.steps[row] ?? 0),
        pointsValue(over.accuracy[row] ?? NaN),
        half(over.accuracyHalf[row]),
        pointsValue(over.coverage[row] ?? NaN),
        half(over.coverageHalf[row]),
        crossing === null ? text('none') : count(crossing),
        count(over.prompts[row] ?? 0),
      ][column] ?? ''
    );
  },
});
