import fc from 'fast-check';
import type { EventFields } from '../../protocol/wire/event';
import type { EventName } from '../../protocol/wire/events';
import {
  ENDINGS,
  NODE_KINDS,
  ORIGINS,
  PHASES,
  RUN_STATES,
  SPAN_STATES,
  USES,
} from '../../protocol/wire/words';

/** An event with its kind, as BatchBuilder takes it. */
export type AnyEvent = { [K in EventName]: readonly [kind: K, fields: EventFields<K>] }[EventName];

const id = (prefix: string, count: number) =>
  fc.integer({ min: 0, max: count - 1 }).map((i) => `${prefix}${i}`);
const step = fc.integer({ min: 0, max: 3 });
const group = id('g', 5);
const rollout = id('r', 10);
const node = id('n', 14);
const prompt = id('p', 4);
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null, freq: 2 });
const count = fc.integer({ min: 0, max: 5 });
const reward = fc.constantFrom(0, 1, 0.5, 0.1, NaN, Infinity, -1);
const event = <K extends EventName>(kind: K, fields: fc.Arbitrary<EventFields<K>>) =>
  fields.map((given): readonly [K, EventFields<K>] => [kind, given]);

/** Events in no order at all, over few ids: children before parents, things closed twice, nodes in circles. */
export const anyEvent: fc.Arbitrary<AnyEvent> = fc.oneof(
  event(
    'runState',
    fc.record({ state: fc.constantFrom(...RUN_STATES), mode: maybe(fc.constant('now' as const)) }),
  ),
  event('stepOpened', fc.record({ step, policyVersion: count, planned: count })),
  event('stepPhase', fc.record({ step, phase: fc.constantFrom(...PHASES) })),
  event('stepClosed', fc.record({ step, policyVersion: count, seconds: fc.constant(2), tokens: count })),
  event('promptDeclared', fc.record({ prompt, difficulty: maybe(id('d', 2)) })),
  event(
    'promptStatistics',
    fc.record({
      prompt,
      step,
      policyVersion: count,
      n: count,
      c: count,
      sumReward: fc.constant(1),
      sumReward2: fc.constant(1),
    }),
  ),
  event('groupOpened', fc.record({ group, prompt, step, planned: count })),
  event('groupPlanned', fc.record({ group, planned: count })),
  event(
    'groupClosed',
    fc.record({
      group,
      launched: count,
      finished: count,
      discarded: count,
      killed: count,
      carriedOver: count,
      usedInStep: maybe(step),
    }),
  ),
  event(
    'rolloutOpened',
    fc.record({
      rollout,
      group,
      fromNode: maybe(node),
      at: maybe(count),
      origin: fc.constantFrom(...ORIGINS),
      use: fc.constantFrom(...USES),
      baseline: maybe(fc.boolean()),
    }),
  ),
  event(
    'rolloutSpan',
    fc.record({ rollout, state: fc.constantFrom(...SPAN_STATES), policyVersion: maybe(count) }),
  ),
  event(
    'rolloutClosed',
    fc.record({
      rollout,
      ending: fc.constantFrom(...ENDINGS),
      length: count,
      success: maybe(fc.boolean()),
      reward: maybe(reward),
      reason: maybe(id('why', 2)),
    }),
  ),
  event('rolloutDiscarded', fc.record({ rollout, reason: id('why', 2) })),
  event(
    'nodeOpened',
    fc.record({
      node,
      rollout,
      parent: maybe(node),
      at: maybe(count),
      kind: fc.constantFrom(...NODE_KINDS),
      origin: fc.constantFrom(...ORIGINS),
      policyVersion: maybe(count),
    }),
  ),
  event('nodeUpdated', fc.record({ node, length: count, entropy: maybe(reward) })),
  event(
    'nodeSeries',
    fc.record({
      node,
      field: fc.constant('entropy' as const),
      bin: fc.integer({ min: 1, max: 4 }),
      from: count,
      mean: fc.constant([1, 2]),
      greatest: fc.constant([2, 3]),
    }),
  ),
  event(
    'nodeClosed',
    fc.record({
      node,
      length: count,
      ending: fc.constantFrom(...ENDINGS),
      entropy: maybe(reward),
      trainShare: maybe(fc.constantFrom(0, 1)),
    }),
  ),
  event(
    'credit',
    fc.record({ node: maybe(node), rollout: maybe(rollout), rule: id('rule', 2), advantage: maybe(reward) }),
  ),
  event('metric', fc.record({ name: fc.constant('loss'), value: reward, step: maybe(step) })),
  event(
    'evaluation',
    fc.record({
      evaluation: id('e', 3),
      name: fc.constant('held-out'),
      step,
      policyVersion: count,
      sampling: fc.constant({}),
      problems: fc.record({
        prompts: fc.constant(['p0', 'h1', 'h2']),
        n: fc.array(count, { minLength: 2, maxLength: 3 }),
        c: fc.array(count, { minLength: 2, maxLength: 3 }),
      }),
    }),
  ),
);
