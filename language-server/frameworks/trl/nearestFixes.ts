import type { Fix } from '../../finding';
import { BATCH_KEYS, evalGroup } from './batch';
import type { Batch, BatchKey } from './batch';
import { fixOf } from './findings';
import { BATCH_RULES } from './rules/batchRules';
import { isCount } from '../../config/numbers';
import type { TrlConfig } from './trlConfig';

const REACH = 4096;
const MOST_FIXES = 6;

/**
 * The nearest numbers, below and above, that make all batch rules hold by changing one key.
 *
 * @param keys the keys to try, best first
 */
export function nearestFixes(config: TrlConfig, batch: Batch, keys: readonly BatchKey[]): Fix[] {
  const counts = config.launcher === 'trl' ? [config.processes, 1] : [config.processes];
  const fixes: Fix[] = [];
  for (const key of keys) {
    const current = currentNumber(batch, key);
    if (current === undefined) continue;
    for (const value of nearest(current, key, (each) => holds({ ...batch, [key]: each }, counts))) {
      const name = BATCH_KEYS[key];
      const edit = config.file.setKey(
        name,
        String(value),
        keys.map((each) => BATCH_KEYS[each]),
      );
      fixes.push(...fixOf(`Set ${name} to ${value} (now ${current})`, edit, fixes.length === 0));
    }
  }
  return fixes.slice(0, MOST_FIXES);
}

function currentNumber(batch: Batch, key: BatchKey): number | undefined {
  const value = key === 'generationsEval' ? evalGroup(batch) : batch[key];
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;
}

function nearest(current: number, key: BatchKey, allowed: (value: number) => boolean): number[] {
  const least = key === 'generations' || key === 'generationsEval' ? 2 : 1;
  const found: number[] = [];
  for (let value = Math.max(current - 1, 0); value >= Math.max(least, current - REACH); value -= 1) {
    if (allowed(value)) {
      found.push(value);
      break;
    }
  }
  for (let value = Math.max(current + 1, least); value <= current + REACH; value += 1) {
    if (allowed(value)) {
      found.push(value);
      break;
    }
  }
  return found.filter(isCount).sort((a, b) => Math.abs(a - current) - Math.abs(b - current));
}

function holds(batch: Batch, counts: readonly (number | null)[]): boolean {
  return BATCH_RULES.every((rule) =>
    counts.every((count) => {
      const violation = rule.check(batch, count);
      return (
        !violation || violation.kind === 'late' || (violation.kind === 'depends' && violation.validAlone)
      );
    }),
  );
}
