/**
 * Damerau-Levenshtein distance in its restricted form (insert, delete, replace, swap of neighbours; no part is edited
 * twice), or `limit + 1` as soon as it must be above the limit.
 * Source: Damerau 1964 (doi:10.1145/363958.363994), optimal string alignment variant.
 */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    let least = row;
    for (let column = 1; column <= b.length; column += 1) {
      const same = a.charAt(row - 1) === b.charAt(column - 1);
      let cost = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      );
      const swapped =
        row > 1 &&
        column > 1 &&
        a.charAt(row - 1) === b.charAt(column - 2) &&
        a.charAt(row - 2) === b.charAt(column - 1);
      if (swapped) cost = Math.min(cost, (beforeLast[column - 2] ?? 0) + 1);
      current.push(cost);
      least = Math.min(least, cost);
    }
    if (least > limit) return limit + 1;
    beforeLast = last;
    last = current;
  }
  return Math.min(last[b.length] ?? 0, limit + 1);
}
