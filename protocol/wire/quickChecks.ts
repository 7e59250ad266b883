import type { TSchema } from '@sinclair/typebox';
import { Series, VersionSpans } from './values';

const isCount = (value: unknown): boolean =>
  typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER && Math.floor(value) === value;

function isVersionSpans(value: unknown): boolean {
  if (!Array.isArray(value)) return false;
  for (let i = 0; i < value.length; i++) {
    const span: unknown = value[i];
    if (!Array.isArray(span) || span.length !== 2 || !isCount(span[0]) || !isCount(span[1])) return false;
  }
  return true;
}

function isSeries(value: unknown): boolean {
  if (!Array.isArray(value) || value.length > 65536) return false;
  for (let i = 0; i < value.length; i++) {
    const cell: unknown = value[i];
    if (
      typeof cell === 'number'
        ? !Number.isFinite(cell)
        : cell !== 'NaN' && cell !== 'Infinity' && cell !== '-Infinity'
    ) {
      return false;
    }
  }
  return true;
}

/**
 * Checks of the structured cells that come with nearly every event, written by hand: walking the schema takes
 * longer than parsing the JSON. A test holds them against the schemas.
 */
export const QUICK_CHECKS: ReadonlyMap<TSchema, (value: unknown) => boolean> = new Map<
  TSchema,
  (value: unknown) => boolean
>([
  [VersionSpans, isVersionSpans],
  [Series, isSeries],
]);
