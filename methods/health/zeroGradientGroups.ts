import type { ExpectedZeroGradientShare } from '../estimators/zeroGradientShare';
import { figure } from '../figures';
import type { Detector, Evidence, FindingSubject, Lever, Severity } from './finding';

export interface ZeroGradientFacts {
  /** Step or steps that the facts are about, in words: "step 214", "steps 205 to 214". */
  readonly scope: string;
  readonly subjects: readonly FindingSubject[];
  /** Closed groups with at least two rollouts in their baseline: the whole. */
  readonly groups: number;
  /** Of these, with all rewards equal: every rollout succeeded, none did, or the job does not say. */
  readonly allRight: number;
  readonly allWrong: number;
  readonly allOther: number;
  /** Of these, without a trained token. */
  readonly nothingTrained: number;
  /** What the pass rates from before let expect, for the same groups. */
  readonly expected: ExpectedZeroGradientShare;
  /** Tokens generated in zero-gradient groups, and in all groups of the scope. */
  readonly tokensInZero: number;
  readonly tokens: number;
}

/** Share from which on the finding is a warning, and an error. GRESO aims at a quarter. */
const WARN_FROM = 0.4;
const ERROR_FROM = 0.8;
/** Fewer groups than this say nothing about a share. */
const LEAST_GROUPS = 8;
/** Standard errors and points above the expectation from which on the excess is a finding of its own. */
const EXCESS_ERRORS = 3;
const EXCESS_POINTS = 0.1;

const percent = (share: number): string => `${figure(Math.round(share * 1000) / 10)} %`;

/**
 * Share of groups that gave no gradient, against what the pass rates from before the step let expect. The standard
 * error takes all groups at the mean expected share, which is its upper limit.
 */
export const zeroGradientGroups: Detector<ZeroGradientFacts> = {
  id: 'zero-gradient-groups',
  title: 'Groups without a gradient',
  doc:
    `Speaks from ${percent(WARN_FROM)} of the closed groups on, or when they are ${percent(EXCESS_POINTS)} and ` +
    `${EXCESS_ERRORS} standard errors above the expected share; at least ${LEAST_GROUPS} groups.`,
  detect(facts) {
    const { groups, allRight, allWrong, allOther, nothingTrained, expected, tokensInZero, tokens } = facts;
    if (groups < LEAST_GROUPS) return undefined;
    const zero = allRight + allWrong + allOther + nothingTrained;
    const share = zero / groups;
    const hoped = expected.share;
    const error = hoped === undefined ? 0 : Math.sqrt((hoped * (1 - hoped)) / groups);
    const excess = hoped !== undefined && share - hoped > Math.max(EXCESS_POINTS, EXCESS_ERRORS * error);
    if (share < WARN_FROM && !excess) return undefined;
    const severity: Severity = share >= ERROR_FROM ? 'error' : 'warning';
    const part = (count: number, text: string): Evidence[] =>
      count > 0 ? [{ text, count, whole: groups, of: 'groups' }] : [];
    const evidence: Evidence[] = [
      ...part(allWrong, 'all wrong'),
      ...part(allRight, 'all right'),
      ...part(allOther, 'all rewards equal, in between'),
      ...part(nothingTrained, 'no token trained'),
    ];
    if (tokens > 0)
      evidence.push({
        text: 'spent on groups without a gradient',
        count: tokensInZero,
        whole: tokens,
        of: 'tokens',
      });
    if (hoped !== undefined) {
      evidence.push({
        text: `expected from pass rates before the step: ${percent(hoped)}${excess ? ', clearly less than seen' : ''}`,
        count: Math.round(hoped * expected.groups),
        whole: expected.groups,
        of: 'groups',
      });
    }
    const hard = allWrong >= allRight;
    return {
      id: 'zero-gradient-groups',
      severity,
      title: `${zero} of ${groups} groups of ${facts.scope} gave no gradient (${percent(share)}), most of them all ${hard ? 'wrong' : 'right'}.`,
      evidence,
      subjects: facts.subjects,
      levers: [
        hard
          ? lever('Give hard prompts more rollouts: Knapsack-RL', 'knapsack-rl')
          : lever('Skip prompts that are solved: GRESO', 'greso'),
      ],
    };
  },
};

const lever = (label: string, method: string): Lever => ({
  label,
  action: 'setMethod',
  params: { kind: 'allocation', method, parameters: {} },
});
