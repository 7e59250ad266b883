import { sampleIndex } from '../distributions';
import { counted, figure } from '../figures';
import { booleanOf, booleanParameter, integerParameter, numberOf, numberParameter } from '../parameters';
import { Refusal } from '../refusal';
import { allocationMethod } from './allocator';
import type { AllocationRequest } from './allocator';
import { groupSize, groupsIn } from './choice';
import type { AllocationInputs } from './inputs';

const adaptive = booleanParameter('adaptive', true, 'Corrects the weights by what was completed so far.');
const minimum = integerParameter(
  'minimum',
  50,
  [0, 1_000_000],
  'Completed rollouts from which on weights are corrected.',
  'rollouts',
);
const lowest = numberParameter('lowest', 0.1, [1e-6, 1], 'Lowest factor on a weight.');
const highest = numberParameter(
  'highest',
  10,
  [1, 1e6],
  'Highest factor, also that of a domain without a completed rollout.',
);

/** Weights of the published runs, by domain. */
const PUBLISHED: Readonly<Record<string, number>> = {
  math: 0.35,
  coding: 0.25,
  logic: 0.15,
  ifeval: 0.15,
  fn_calling: 0.1,
};

export interface AprielDomain {
  readonly domain: string;
  /** Aimed share. */
  readonly target: number;
  /** Share of the completed rollouts; undefined before there are enough. */
  readonly completed: number | undefined;
  readonly factor: number;
  /** Probability of a draw. */
  readonly probability: number;
}

/**
 * Probabilities of the domains: their weights, each times the target share over the completed one, kept within limits,
 * once enough is completed. Domains of weight 0 are never drawn, and rollouts of unknown domains do not count.
 */
export function aprielDomains(
  weights: Readonly<Record<string, number>>,
  completed: Readonly<Record<string, number>>,
  by: {
    readonly adaptive: boolean;
    readonly minimum: number;
    readonly lowest: number;
    readonly highest: number;
  },
): AprielDomain[] {
  const domains = Object.entries(weights).filter(([, weight]) => weight > 0);
  const total = domains.reduce((sum, [, weight]) => sum + weight, 0);
  const done = (domain: string): number => (Object.hasOwn(completed, domain) ? completed[domain]! : 0);
  const all = domains.reduce((sum, [domain]) => sum + done(domain), 0);
  const corrects = by.adaptive && all >= by.minimum && all > 0;
  const found = domains.map(([domain, weight]) => {
    const target = weight / total;
    const share = corrects ? done(domain) / all : undefined;
    const factor =
      share === undefined
        ? 1
        : share === 0
          ? by.highest
          : Math.min(by.highest, Math.max(by.lowest, target / share));
    return { domain, target, completed: share, factor, raw: target * factor };
  });
  const sum = found.reduce((part, { raw }) => part + raw, 0);
  return found.map(({ raw, ...domain }) => ({ ...domain, probability: raw / sum }));
}

/** First domain whose cumulative probability exceeds the uniform number. */
export function aprielPick(domains: readonly Pick<AprielDomain, 'probability'>[], uniform: number): number {
  let cumulative = 0;
  for (let i = 0; i < domains.length; i++) {
    cumulative += domains[i]!.probability;
    if (uniform < cumulative) return i;
  }
  return domains.length - 1;
}

/**
 * Apriel-Reasoner, adaptive domain sampling: a domain is drawn, with a probability that makes up for the share of the
 * completed rollouts that it fell behind, then one of its prompts, each equally likely (pipelinerl/domain_sampling.py).
 * As many groups are drawn as the budget pays for; a prompt can be drawn more than once, and gets a group for each.
 * Target shares are the recorded ones, or those of the published runs where all domains are theirs. A domain none of
 * whose prompts are given cannot be drawn; the others keep their proportions.
 */
export const aprielDomainSampling = allocationMethod({
  id: 'apriel-domains',
  title: 'Apriel domain sampling',
  summary: 'Draws prompts by domain, so that completed rollouts keep the aimed mixture.',
  family: 'skip',
  confidence: 'exact',
  source: {
    paper: '',
    equation: 'adaptive domain sampling',
    code: 'ServiceNow/PipelineRL:pipelinerl/domain_sampling.py:DomainWeightedSampler',
    commit: '58d3934586',
  },
  parameters: [groupSize, adaptive, minimum, lowest, highest],
  keepsTotal: false,
  needs: ['domain', 'completedByDomain'],
  uses: ['domainWeights'],
  caveats: ['That this code is the mechanism of the paper is inferred: same group, same five domains.'],
  decide: ({ inputs, parameters, rng }) => {
    const size = numberOf(parameters, groupSize);
    const groups = groupsIn(inputs.budget, size);
    const members = new Map<string, number[]>();
    inputs.prompts.forEach(({ domain }, prompt) => {
      const list = members.get(domain!);
      if (list === undefined) members.set(domain!, [prompt]);
      else list.push(prompt);
    });
    const domains = aprielDomains(weightsOf(inputs, [...members.keys()]), inputs.completedByDomain!, {
      adaptive: booleanOf(parameters, adaptive),
      minimum: numberOf(parameters, minimum),
      lowest: numberOf(parameters, lowest),
      highest: numberOf(parameters, highest),
    }).filter(({ domain }) => members.has(domain));
    if (domains.length === 0) {
      throw new Refusal(
        'missing-input',
        'Every given prompt belongs to a domain of weight 0: nothing can be drawn. Raise a weight in domainWeights.',
      );
    }
    const drawn = inputs.prompts.map(() => 0);
    const weights = domains.map(({ probability }) => probability);
    for (let i = 0; i < groups; i++) {
      const list = members.get(domains[sampleIndex(rng, weights)]!.domain)!;
      drawn[list[rng.below(list.length)]!]! += 1;
    }
    const byName = new Map(domains.map((domain) => [domain.domain, domain]));
    return {
      done: true,
      shared: { groups, groupSize: size, domains: domains.length },
      requests: drawn.map((times, prompt): AllocationRequest => {
        const domain = byName.get(inputs.prompts[prompt]!.domain!);
        if (domain === undefined) {
          return {
            prompt,
            action: 'skip',
            count: 0,
            reasonCode: 'no-weight',
            reason: 'Its domain has a weight of 0.',
            numbers: {},
          };
        }
        const { target, completed, factor, probability } = domain;
        const others = members.get(domain.domain)!.length;
        const share =
          completed === undefined
            ? `Its domain aims at ${figure(target)}`
            : `Its domain aims at ${figure(target)} and has ${figure(completed)} of the completed rollouts, factor ${figure(factor)}`;
        return {
          prompt,
          action: times > 0 ? 'launch' : 'skip',
          count: times * size,
          reasonCode: times > 0 ? 'drawn' : 'not-drawn',
          reason: `${share}: probability ${figure(probability)}, one of ${counted(others, 'prompt')} in it; drawn ${times === 0 ? 'not at all' : counted(times, 'time')}.`,
          numbers: {
            target,
            ...(completed === undefined ? {} : { completed }),
            factor,
            probability,
            prompts: others,
            times,
          },
        };
      }),
    };
  },
});

function weightsOf(
  { domainWeights }: AllocationInputs,
  domains: readonly string[],
): Readonly<Record<string, number>> {
  const weights = domainWeights ?? PUBLISHED;
  const unknown = domains.find((domain) => !Object.hasOwn(weights, domain));
  if (unknown === undefined) return weights;
  throw new Refusal(
    'missing-input',
    domainWeights === undefined
      ? `The published shares are for ${Object.keys(PUBLISHED).join(', ')}, but there are prompts of the domain ${unknown}: the run has to record its own domainWeights.`
      : `There are prompts of the domain ${unknown}, which has no share in domainWeights. Give it one, 0 to leave it out.`,
  );
}
