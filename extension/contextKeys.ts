import type { RunHeader, Selection } from '../protocol/panels/selection';

/** The one table of context keys: what menus, keys and welcome views depend on. All are true or false. */
export const CONTEXT_KEYS = [
  'rolloutscope.attached',
  'rolloutscope.recorded',
  'rolloutscope.lost',
  'rolloutscope.tokenRefused',
  'rolloutscope.paused',
  'rolloutscope.canSteer',
  'rolloutscope.can.pause',
  'rolloutscope.can.step',
  'rolloutscope.can.allocate',
  'rolloutscope.can.setMethod',
  'rolloutscope.can.skip',
  'rolloutscope.can.fork',
  'rolloutscope.can.stop',
  'rolloutscope.can.undo',
  'rolloutscope.can.break',
  'rolloutscope.selection.prompt',
  'rolloutscope.selection.group',
  'rolloutscope.selection.rollout',
  'rolloutscope.selection.node',
  'rolloutscope.sampleRunning',
  'rolloutscope.found',
  'rolloutscope.promptsFiltered',
] as const;
export type ContextKey = (typeof CONTEXT_KEYS)[number];

/** Prefix of the capabilities of which one is enough. */
const CAPABILITY: Readonly<Partial<Record<ContextKey, string>>> = {
  'rolloutscope.can.pause': 'steer.pause.',
  'rolloutscope.can.step': 'steer.step',
  'rolloutscope.can.allocate': 'steer.allocate.',
  'rolloutscope.can.setMethod': 'steer.method',
  'rolloutscope.can.skip': 'steer.skip',
  'rolloutscope.can.fork': 'steer.fork',
  'rolloutscope.can.stop': 'steer.stop',
  'rolloutscope.can.undo': 'steer.undo',
  'rolloutscope.can.break': 'steer.break',
};

export interface ContextFacts {
  readonly header: RunHeader | null;
  readonly selection: Selection;
  readonly tokenRefused: boolean;
  readonly sampleRunning: boolean;
  readonly found: number;
  readonly promptsFiltered: boolean;
}

/** Values of all context keys. */
export function contextValues(facts: ContextFacts): Readonly<Record<ContextKey, boolean>> {
  const { header, selection } = facts;
  const can = (key: ContextKey): boolean => {
    const prefix = CAPABILITY[key];
    if (header?.canSteer !== true || prefix === undefined) return false;
    // A capability that narrows another one enables nothing by itself.
    return header.capabilities.some((c) => c.startsWith(prefix) && c !== 'steer.allocate.fixed-total');
  };
  return {
    'rolloutscope.attached': header !== null,
    'rolloutscope.recorded': header?.state === 'recorded',
    'rolloutscope.lost': header?.state === 'lost' || header?.state === 'refused',
    'rolloutscope.tokenRefused': facts.tokenRefused,
    'rolloutscope.paused': header?.paused != null,
    'rolloutscope.canSteer': header?.canSteer === true,
    'rolloutscope.can.pause': can('rolloutscope.can.pause'),
    'rolloutscope.can.step': can('rolloutscope.can.step'),
    'rolloutscope.can.allocate': can('rolloutscope.can.allocate'),
    'rolloutscope.can.setMethod': can('rolloutscope.can.setMethod'),
    'rolloutscope.can.skip': can('rolloutscope.can.skip'),
    'rolloutscope.can.fork': can('rolloutscope.can.fork'),
    'rolloutscope.can.stop': can('rolloutscope.can.stop'),
    'rolloutscope.can.undo': can('rolloutscope.can.undo'),
    'rolloutscope.can.break': can('rolloutscope.can.break'),
    'rolloutscope.selection.prompt': selection.prompt !== null,
    'rolloutscope.selection.group': selection.group !== null,
    'rolloutscope.selection.rollout': selection.rollout !== null,
    'rolloutscope.selection.node': selection.node !== null,
    'rolloutscope.sampleRunning': facts.sampleRunning,
    'rolloutscope.found': facts.found > 0,
    'rolloutscope.promptsFiltered': facts.promptsFiltered,
  };
}
