import type { DecisionView } from '../../protocol/panels/budgets';

export type Cells = DecisionView['inputs'];

/** A number of a decision by name, from the rule's numbers, else its inputs, what it shares, its parameters. */
export const numberIn = (decision: DecisionView, name: string): number | null => {
  for (const cells of [decision.numbers, decision.inputs, decision.shared, decision.parameters]) {
    const value = cells[name];
    if (typeof value === 'number' && Number.isFinite(value)) return value;
  }
  return null;
};
