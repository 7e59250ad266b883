/** Any JSON value. */
export type Plain = null | boolean | number | string | readonly Plain[] | { readonly [key: string]: Plain };

/** Checks for JSON of a known form. Each throws a TypeError that names the place. */

export function record(json: unknown, place: string): Readonly<Record<string, unknown>> {
  if (!isRecord(json)) throw new TypeError(`${place}: expected a mapping`);
  return json;
}

export function array(json: unknown, place: string): readonly unknown[] {
  if (!Array.isArray(json)) throw new TypeError(`${place}: expected a list`);
  return json;
}

export function textOf(json: unknown, place: string): string {
  if (typeof json !== 'string') throw new TypeError(`${place}: expected text`);
  return json;
}

/** Null where the key is missing. */
export function optionalText(json: unknown, place: string): string | null {
  return json === undefined || json === null ? null : textOf(json, place);
}

/** False where the key is missing. */
export function booleanOf(json: unknown): boolean {
  return json === true;
}

export function isPlain(json: unknown): json is Plain {
  if (json === null || ['boolean', 'number', 'string'].includes(typeof json)) return true;
  if (Array.isArray(json)) return json.every(isPlain);
  return isRecord(json) && Object.values(json).every(isPlain);
}

export function isRecord(json: unknown): json is Record<string, unknown> {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}
