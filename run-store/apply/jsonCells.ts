import type { EventFields } from '../../protocol/wire/event';

/** Shapes of structured cells, as the event table declares them. */
export type VersionSpans = NonNullable<EventFields<'nodeClosed'>['versions']>;
export type Series = EventFields<'nodeSeries'>['mean'];
