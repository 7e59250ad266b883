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

/** All numbers of a decision by name; the rule's own stand above inputs, shared ones and parameters. */
export const numbersOf = ({
  numbers,
  inputs,
  shared,
  parameters,
}: DecisionView): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Object.entries({ ...parameters, ...shared, ...inputs, ...numbers }).filter(
      (entry): entry is [string, number] => typeof entry[1] === 'number' && Number.isFinite(entry[1]),
    ),
  );

/** A number that is called a rate or a share and cannot be one. */
export const isImpossible = (name: string, value: Cells[string] | undefined): boolean =>
  typeof value === 'number' && /(?:rate|share|probability)$/i.test(name) && !(value >= 0 && value <= 1);
