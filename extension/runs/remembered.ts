import { Type, type Static } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { parseAddress } from './address';

/** What is kept of an open run in the workspace's memory: never a token. */
const One = Type.Union([
  Type.Object({
    kind: Type.Literal('found'),
    run: Type.String(),
    name: Type.String(),
    address: Type.String(),
    process: Type.Optional(
      Type.Object({ host: Type.String(), bootId: Type.String(), pid: Type.Integer({ minimum: 1 }) }),
    ),
  }),
  Type.Object({ kind: Type.Literal('address'), address: Type.String() }),
  Type.Object({ kind: Type.Literal('recorded'), folder: Type.String() }),
  Type.Object({
    kind: Type.Literal('results'),
    files: Type.Array(Type.String(), { minItems: 1 }),
    choice: Type.Object({
      score: Type.Optional(Type.String()),
      threshold: Type.Optional(Type.Number()),
    }),
  }),
]);
export type Remembered = Readonly<Static<typeof One>>;

/** Entries of another version, or with an address that may not be used, are left out. */
export function readRemembered(value: unknown): Remembered[] {
  if (!Array.isArray(value)) return [];
  const entries: unknown[] = value;
  return entries.filter(
    (one): one is Remembered =>
      Value.Check(One, one) &&
      (one.kind === 'recorded' || one.kind === 'results' || !('problem' in parseAddress(one.address))),
  );
}
