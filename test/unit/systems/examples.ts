import type { EventName } from '../../../protocol/wire/events';
import type { EventFields } from '../../../protocol/wire/event';

/** One event to be written: kind and fields, checked against the schema by the compiler. */
export type Written = { [K in EventName]: readonly [K, EventFields<K>] }[EventName];

export interface Example {
  /** What the example shows. */
  readonly what: string;
  /** Numbers of the systems that need it (the field's papers, three digits). */
  readonly systems: string;
  readonly events: readonly Written[];
}

const group = (prompt: string, planned: number, decision?: string): Written => [
  'groupOpened',
  { group: `g-${prompt}`, prompt, step: 7, planned, ...(decision === undefined ? {} : { decision }) },
];
const root = (
  rollout: string,
  prompt: string,
  extra: Partial<EventFields<'rolloutOpened'>> = {},
): Written => ['rolloutOpened', { rollout, group: `g-${prompt}`, origin: 'sampled', use: 'train', ...extra }];
const node = (id: string, rollout: string, extra: Partial<EventFields<'nodeOpened'>> = {}): Written => [
  'nodeOpened',
  { node: id, rollout, kind: 'tokens', origin: 'sampled', ...extra },
];
const closed = (
  rollout: string,
  extra: Partial<EventFields<'rolloutClosed'>> & { length: number },
): Written => ['rolloutClosed', { rollout, ending: 'finished', ...extra }];

const decision = (
  id: string,
  kind: EventFields<'decision'>['kind'],
  method: string,
  body: EventFields<'decision'>['body'],
  sentence = 'Recorded choice.',
): Written => ['decision', { decision: id, kind, method, sentence, body }];

const onPrompts = (ids: string[], more: Partial<EventFields<'decision'>['body']> = {}) => ({
  parameters: {},
  subjects: { type: 'prompt' as const, ids },
  ...more,
});

export const EXAMPLES: readonly Example[] = [
  {
    what: 'allocation: counts per prompt with inputs, price and the gain of the last rollout',
    systems: '002 070 078 088 106 107 177 191 193 210 211 212 218 225 233 243 254 276 279 003',
    events: [
      decision(
        'd1',
        'allocate',
        'knapsack',
        onPrompts(['p1', 'p2'], {
          parameters: { nLow: 2, nUp: 64 },
          shared: { total: 12, price: 0.00485 },
          inputs: { passRate: [0.0625, 0.9], successes: [1, 14], rollouts: [16, 16] },
          outcome: { rollouts: [10, 2] },
          reasonCodes: ['gain-above-price', 'at-lower-bound'],
          numbers: { lastGain: [0.00495, 0.0001], nextGain: [0.00464, 0.0001] },
          alternatives: [{ label: 'uniform', subject: 'p1', score: 6 }],
        }),
      ),
      group('p1', 10, 'd1'),
    ],
  },
  {
    what: 'selection, skipping and filtering of prompts before and after the rollouts',
    systems: '043 059 080 118 174 176 188 192 203 221 249 262 037 017',
    events: [
      decision(
        'd1',
        'skip',
        'greso',
        onPrompts(['p1'], {
          inputs: { easyStreak: [3] },
          outcome: { skip: [true] },
          numbers: { probability: [0.875] },
        }),
      ),
      decision(
        'd2',
        'select',
        'dps',
        onPrompts(['p2', 'p3'], {
          inputs: { partlySolved: [0.53, 0.24] },
          outcome: { chosen: [true, false] },
        }),
      ),
      decision('d3', 'discard', 'dapo', { parameters: {}, subjects: { type: 'group', ids: ['g-p2'] } }),
      group('p2', 4, 'd2'),
      [
        'groupClosed',
        {
          group: 'g-p2',
          launched: 4,
          finished: 0,
          discarded: 4,
          killed: 0,
          carriedOver: 0,
          reason: 'filtered',
          decision: 'd3',
        },
      ],
    ],
  },
  {
    what: 'forks by a rule with the numbers, segments that share a prefix, prunes with a reason',
    systems:
      '000 001 005 007 012 013 015 016 024 027 031 034 044 053 062 066 101 105 114 124 234 256 084 097 060 048 126',
    events: [
      group('p1', 4),
      root('a', 'p1'),
      node('a0', 'a', { kind: 'sentence' }),
      decision('f1', 'fork', 'datpo', {
        parameters: { kMax: 3, bMax: 4 },
        subjects: { type: 'node', ids: ['a0'] },
        inputs: { sentenceEntropy: [2.88], basePassRate: [0.25] },
        outcome: { at: [12], width: [3] },
        position: 'after-completion',
        children: 'same-policy',
      }),
      root('b', 'p1', { fromNode: 'a0', at: 12, origin: 'forked', decision: 'f1' }),
      node('b0', 'b', { parent: 'a0', at: 12, origin: 'forked', decision: 'f1', signature: 's-17' }),
      decision('x1', 'prune', 'echo', {
        parameters: {},
        subjects: { type: 'rollout', ids: ['b'] },
        inputs: { groupConfidence: [0.31] },
        inclusionProbability: [0.5],
      }),
      closed('b', { length: 20, ending: 'pruned', reason: 'low_confidence', decision: 'x1' }),
      ['nodeUpdated', { node: 'a0', length: 24, predicted: 0.42, estimator: 'quality-head' }],
    ],
  },
  {
    what: 'a fork by a person, edited or hinted, as a probe outside the baseline',
    systems: '018 115 127 131 196 095 145 061',
    events: [
      group('p1', 2),
      root('a', 'p1'),
      node('a0', 'a'),
      [
        'steering',
        {
          command: 'c1',
          action: 'fork',
          state: 'applied',
          author: 'user',
          connection: 'k1',
          scope: 'steer',
          sentence: 'Fork.',
        },
      ],
      [
        'decision',
        {
          decision: 'f1',
          kind: 'fork',
          method: 'person',
          command: 'c1',
          sentence: 'Fork by a person.',
          body: {
            parameters: {},
            subjects: { type: 'node', ids: ['a0'] },
            position: 'person',
            children: 'guided',
          },
        },
      ],
      root('q', 'p1', {
        fromNode: 'a0',
        at: 3,
        origin: 'hinted',
        use: 'probe',
        baseline: false,
        decision: 'f1',
      }),
      node('q0', 'q', { parent: 'a0', at: 3, origin: 'hinted', marks: 2 }),
    ],
  },
  {
    what: 'staleness and policy versions per token, partial and resumed rollouts',
    systems: '020 023 038 055 063 076 100 102 140 158 160 270 036 071',
    events: [
      group('p1', 2),
      root('a', 'p1', { worker: 'w3' }),
      ['rolloutSpan', { rollout: 'a', state: 'generating', policyVersion: 11, worker: 'w3' }],
      closed('a', { length: 200, ending: 'carriedOver', versions: [[0, 11]] }),
      decision('r1', 'resume', 'copris', { parameters: {}, subjects: { type: 'rollout', ids: ['a'] } }),
      node('a1', 'a', { origin: 'resumed', policyVersion: 12, decision: 'r1' }),
      closed('a2', {
        length: 412,
        versions: [
          [0, 11],
          [200, 12],
        ],
        acceptedPrefix: 200,
      }),
      ['metric', { name: 'staleness', value: 0.52, step: 7 }],
    ],
  },
  {
    what: 'replayed, recombined, small-model and external rollouts with their own statistics',
    systems: '025 050 065 092 125 146 208 068 118',
    events: [
      decision('r1', 'replay', 'dots', onPrompts(['p1'], { shared: { bufferSize: 512 } })),
      group('p1', 4),
      root('e', 'p1', { origin: 'external', context: 'small-model' }),
      root('o', 'p1', { origin: 'replayed', decision: 'r1' }),
      [
        'promptStatistics',
        { prompt: 'p1', step: 5, policyVersion: 9, n: 8, c: 2, sumReward: 2, sumReward2: 2 },
      ],
    ],
  },
  {
    what: 'worker pools, queues and long tails',
    systems: '019 021 058 082 083 102 006',
    events: [
      [
        'worker',
        {
          worker: 'w3',
          pool: 'decode',
          host: 'n1',
          device: 'gpu 2',
          queue: 14,
          running: 32,
          policyVersion: 12,
          clockError: 2.5,
        },
      ],
      group('p1', 1),
      root('a', 'p1'),
      ['rolloutSpan', { rollout: 'a', state: 'queued', worker: 'w3' }],
      ['rolloutSpan', { rollout: 'a', state: 'tool', tool: 'browser' }],
      ['metric', { name: 'tokensStored', value: 9000, step: 7 }],
      ['metric', { name: 'tokensUnique', value: 3000, step: 7 }],
      ['stepPhase', { step: 7, phase: 'train' }],
    ],
  },
  {
    what: 'agents, roles, turns, tool calls and model calls of a harness',
    systems: '004 014 033 072 232 048 224 213 215 238 029 040',
    events: [
      group('p1', 1),
      root('a', 'p1', { agent: 'planner' }),
      node('a0', 'a', { kind: 'call', agent: 'planner' }),
      node('a1', 'a', { kind: 'tool', agent: 'worker', tool: 'search', parent: 'a0', at: 1 }),
      node('a2', 'a', { kind: 'turn', agent: 'critic', parent: 'a1', at: 1, signature: 'h-1' }),
    ],
  },
  {
    what: 'denoising steps and search states as nodes',
    systems: '008 011 064 074 084 040',
    events: [
      group('p1', 2),
      root('a', 'p1'),
      node('z0', 'a', { kind: 'denoising' }),
      node('z1', 'a', { kind: 'denoising', parent: 'z0', at: 3, origin: 'forked' }),
      node('m0', 'a', { kind: 'state', signature: 'board-17' }),
      ['credit', { node: 'z1', rule: 'branchgrpo', value: 0.7, advantage: 0.7071 }],
    ],
  },
  {
    what: 'credit per node and per rollout by several rules',
    systems: '010 047 054 113 119 144 152 154 165 169 170 197 205 251 281 045 007 015',
    events: [
      group('p1', 1),
      root('a', 'p1'),
      node('a0', 'a'),
      ['credit', { node: 'a0', rollout: 'a', rule: 'treerl', value: -0.22, advantage: 0.4 }],
      ['credit', { rollout: 'a', rule: 'mc-grpo', advantage: 1.2 }],
      ['nodeClosed', { node: 'a0', length: 24, ending: 'finished', trainShare: 0.75 }],
      closed('a', {
        length: 24,
        success: true,
        reward: 0.9,
        rewardParts: { correct: 1, format: 0.2, length: -0.3 },
      }),
    ],
  },
  {
    what: 'precision and train-inference mismatch, unfinished or garbled suffixes',
    systems: '093 136 159 253 267 022',
    events: [
      group('p1', 1),
      root('a', 'p1'),
      node('a0', 'a'),
      ['nodeClosed', { node: 'a0', length: 24, ending: 'truncated', repeats: 0.6, logProbGap: 0.031 }],
      closed('a', { length: 24, ending: 'truncated', logProbGap: 0.031 }),
      ['metric', { name: 'logProbGap', value: 0.024, step: 7 }],
      ['metric', { name: 'rejectedTokens', value: NaN, unit: 'share', step: 7 }],
    ],
  },
  {
    what: 'matched groups, contexts and hint levels per rollout',
    systems: '032 035 119 171 188 059 216',
    events: [
      group('p1', 2),
      ['groupOpened', { group: 'g-b', prompt: 'p1', step: 7, planned: 2, matched: 'g-p1', arm: 'skill' }],
      root('a', 'p1', { context: 'hint .5' }),
    ],
  },
  {
    what: 'length, turn and thinking budgets, temperature, early exits',
    systems: '139 162 209 228 230 237 241 245 252 255 268 274 278 054 212 022 177 075 214 235',
    events: [
      group('p1', 1),
      root('a', 'p1'),
      decision('l1', 'length', 'duet', {
        parameters: { k2: 900 },
        subjects: { type: 'rollout', ids: ['a'] },
        outcome: { tokens: [1024], turns: [6] },
      }),
      decision('t1', 'temperature', 'e3', {
        parameters: {},
        subjects: { type: 'step', ids: ['7'] },
        samplingBefore: { temperature: 1 },
        samplingAfter: { temperature: 1.0155 },
      }),
      decision('s1', 'stop', 'step-grpo', {
        parameters: {},
        subjects: { type: 'rollout', ids: ['a'] },
        numbers: { remainingLow: [120], remainingHigh: [310] },
      }),
      closed('a', { length: 300, ending: 'truncated', reason: 'early-exit', decision: 's1' }),
    ],
  },
  {
    what: 'diagnosis: findings with evidence and levers, domains, treemap by tokens',
    systems: '009 087 144 235 276',
    events: [
      ['promptDeclared', { prompt: 'p1', difficulty: 'hard', domain: 'math', split: 'train', length: 46 }],
      [
        'finding',
        {
          finding: 'x',
          open: true,
          step: 7,
          body: {
            code: 'entropyCollapse',
            severity: 'warning',
            title: 'Entropy fell',
            evidence: 'From .8 to .2 nats in 12 steps.',
            levers: [{ label: 'Raise temperature', action: 'allocate', params: { temperature: 1.2 } }],
          },
        },
      ],
    ],
  },
  {
    what: 'screenshots and environment states as attachments',
    systems: '021 016',
    events: [
      group('p1', 1),
      root('a', 'p1'),
      node('a0', 'a', { kind: 'turn' }),
      [
        'attachment',
        { node: 'a0', attachment: 'shot-1', mime: 'image/png', bytes: 48_112, title: 'after the click' },
      ],
    ],
  },
  {
    what: 'duplicates that fill a group',
    systems: '012',
    events: [
      group('p1', 2),
      root('a', 'p1'),
      root('d', 'p1', { origin: 'duplicate' }),
      node('d0', 'd', { origin: 'duplicate', marks: 8 }),
    ],
  },
];
