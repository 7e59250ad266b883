import type { Fix } from '../finding';
import { Positions } from '../text/positions';

/** The text after a fix. */
export function applyFix(text: string, fix: Fix): string {
  const positions = new Positions(text);
  const edits = fix.edits
    .map(({ range, newText }) => ({
      start: positions.offset(range.start),
      end: positions.offset(range.end),
      newText,
    }))
    .sort((a, b) => b.start - a.start);
  return edits.reduce(
    (result, { start, end, newText }) => result.slice(0, start) + newText + result.slice(end),
    text,
  );
}
