import type { Static, TSchema } from '@sinclair/typebox';
import type { EVENTS, EventName } from './events';

/** A cell as code sees it: `ref` is already the string, numbers are real numbers (NaN and infinities included). */
type Cell<C> = C extends { type: 'json'; schema: infer S extends TSchema }
  ? Static<S>
  : C extends { type: 'ref'; words: readonly (infer W)[] }
    ? W
    : C extends { type: 'ref' | 'text' }
      ? string
      : C extends { type: 'flag' }
        ? boolean
        : number;

type Columns<K extends EventName> = (typeof EVENTS)[K]['columns'];

/** The fields of one event of kind K, with names instead of handles: what a publisher is given. */
export type EventFields<K extends EventName> = {
  readonly [F in keyof Columns<K> as Columns<K>[F] extends { optional: false } ? F : never]: Cell<
    Columns<K>[F]
  >;
} & {
  readonly [F in keyof Columns<K> as Columns<K>[F] extends { optional: true } ? F : never]?:
    Cell<Columns<K>[F]> | null | undefined;
};

/** One event with its place in the stream. */
export type WireEvent<K extends EventName = EventName> = {
  [N in K]: { readonly kind: N; readonly seq: number; readonly t: number; readonly fields: EventFields<N> };
}[K];
