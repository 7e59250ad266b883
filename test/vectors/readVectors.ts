import { readFileSync } from 'node:fs';
import type { Static, TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { Type } from '@sinclair/typebox';

const File = Type.Object({
  method: Type.String(),
  origin: Type.String(),
  source: Type.String(),
  notes: Type.String(),
  tolerance: Type.Optional(Type.Object({ absolute: Type.Number(), relative: Type.Number() })),
  cases: Type.Array(
    Type.Object({
      name: Type.String(),
      input: Type.Unknown(),
      params: Type.Unknown(),
      output: Type.Unknown(),
    }),
  ),
});

/** Cases of a vector file that have the given shape. `at`: path below this folder, without extension. */
export function readVectors<I extends TSchema, P extends TSchema, O extends TSchema>(
  at: string,
  shape: { readonly input: I; readonly params: P; readonly output: O },
): { name: string; input: Static<I>; params: Static<P>; output: Static<O> }[] {
  const file: unknown = JSON.parse(readFileSync(new URL(`./${at}.json`, import.meta.url), 'utf8'));
  if (!Value.Check(File, file)) throw new Error(`${at}.json is not a vector file.`);
  const found: { name: string; input: Static<I>; params: Static<P>; output: Static<O> }[] = [];
  for (const { name, input, params, output } of file.cases) {
    if (
      Value.Check(shape.input, input) &&
      Value.Check(shape.params, params) &&
      Value.Check(shape.output, output)
    ) {
      found.push({ name, input, params, output });
    }
  }
  if (found.length === 0) throw new Error(`${at}.json has no case of this shape.`);
  return found;
}
