import { publishedDefaults } from '../parameters';
import type { Parameters } from '../parameters';
import type { AllocationMethod } from './allocator';

/** For tests and benchmarks: the published values, and `value` (kept within the bounds) where none is published. */
export function exampleParameters(
  { parameters }: Pick<AllocationMethod, 'parameters'>,
  value = 2,
): Parameters {
  const result: Record<string, number | boolean | string> = { ...publishedDefaults(parameters) };
  for (const parameter of parameters) {
    if (parameter.default !== undefined || !('minimum' in parameter)) continue;
    result[parameter.name] = Math.min(parameter.maximum, Math.max(parameter.minimum, value));
  }
  return result;
}
