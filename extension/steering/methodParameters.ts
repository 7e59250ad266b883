import { allocationMethods } from '../../methods/allocation/methods';
import { branchingMethods } from '../../methods/branching/methods';
import { creditMethods } from '../../methods/credit/methods';
import type { MethodDescription } from '../../methods/method';
import { resolveParameters, type Parameter, type ParameterValue } from '../../methods/parameters';
import { readNumber } from './readNumbers';

const KINDS: Readonly<Record<string, readonly MethodDescription[]>> = {
  allocation: allocationMethods,
  branching: branchingMethods,
  credit: creditMethods,
};

/** What our table declares of a parameter of the job's method; undefined: the method or the parameter is not ours. */
export function declaredParameter(kind: string, method: string, name: string): Parameter | undefined {
  return KINDS[kind]?.find(({ id }) => id === method)?.parameters.find((one) => one.name === name);
}

/** A typed text as the declared value. `problem`: why it is none, with the range. */
export function readParameter(
  declared: Parameter,
  text: string,
): { readonly value: ParameterValue } | { readonly problem: string } {
  const trimmed = text.trim();
  let value: ParameterValue = trimmed;
  if (declared.kind === 'boolean') value = trimmed === 'true' ? true : trimmed === 'false' ? false : trimmed;
  else if (declared.kind !== 'choice') value = readNumber(trimmed) ?? trimmed;
  try {
    resolveParameters([declared], { [declared.name]: value });
    return { value };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}
