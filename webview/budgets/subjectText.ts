import type { BudgetsSubject } from '../../protocol/panels/budgets';
import { count } from '../shared/format';
import { text } from './texts';

/** `step 412`, `steps 403 to 412`, `the run, 600 steps`. */
export const subjectText = ({ kind, first, last, steps }: BudgetsSubject): string =>
  kind === 'step'
    ? text('inStep', { step: last })
    : kind === 'range'
      ? text('inRange', { first, last })
      : text('inRun', { steps: count(steps) });
