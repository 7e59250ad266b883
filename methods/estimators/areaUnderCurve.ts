import { Refusal } from '../refusal';

/**
 * Area under a curve over log2 k by trapezoids, in units of log2 k. Divided by log2 of the last k it is the mean
 * height; `undefined` then when only k = 1 exists. Throws a Refusal unless ks rise from 1 and match the values.
 */
export function areaOverLogK(
  ks: readonly number[],
  values: readonly number[],
): { readonly area: number; readonly normalised: number | undefined } {
  if (ks[0] !== 1 || ks.length !== values.length) {
    throw new Refusal('bad-count', 'The area over log k needs one value for each k, from k = 1 on.');
  }
  let area = 0;
  for (let i = 1; i < ks.length; i++)
    area += (Math.log2(ks[i]! / ks[i - 1]!) * (values[i]! + values[i - 1]!)) / 2;
  const width = Math.log2(ks[ks.length - 1]!);
  return { area, normalised: width > 0 ? area / width : undefined };
}
