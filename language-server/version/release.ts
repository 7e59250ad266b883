/** A release number as its parts: "1.13.0" → [1, 13, 0]. */
export type Release = readonly number[];

export function parseRelease(text: string): Release {
  return text.split('.').map((part) => Number.parseInt(part, 10) || 0);
}

/** Whether `a` comes before `b`; missing parts count as 0. */
export function isBefore(a: Release, b: Release): boolean {
  for (let index = 0; index < Math.max(a.length, b.length); index += 1) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}
