/** A published rule that is not offered, or only in part. */
export interface NotOffered {
  readonly title: string;
  readonly paper: string;
  readonly why: string;
}

/** Rules about budgets that are known of and not offered, since a number of them would be invented. */
export const NOT_OFFERED: readonly NotOffered[] = [
  {
    title: 'HIVE',
    paper: 'arXiv 2603.25184',
    why: 'The probability of its first stage (from reward history and response entropy) was not read.',
  },
  {
    title: 'IsoCompute Playbook',
    paper: 'arXiv 2603.12151',
    why: 'It has no rule for a single prompt, and its fitted law for the number of rollouts was not read.',
  },
  {
    title: 'CLEAR',
    paper: 'arXiv 2606.03092',
    why: 'The form of its utility was not read; it also needs a predicted emergence threshold of every prompt.',
  },
  {
    title: 'Contextual rollout bandits',
    paper: 'arXiv 2602.08499',
    why: 'Its scheduler is a trained network; no log of a run determines what it would have chosen.',
  },
  {
    title: 'Adaptive sampling controller',
    paper: 'arXiv 2606.03102',
    why: 'Only the abstract was found; its policy is learned. ASC and ESC, which it is compared with, are offered.',
  },
  {
    title: 'iGRPO',
    paper: 'arXiv 2602.09000',
    why: 'How many drafts and how many refinements a prompt gets was not read.',
  },
  {
    title: 'P2O',
    paper: 'arXiv 2603.21877',
    why: 'Only the abstract was found; it evolves prompts and gives no counts.',
  },
  {
    title: 'shortOPD',
    paper: 'arXiv 2607.13124',
    why: 'Only the abstract was found; how its length budget is updated was not read.',
  },
  {
    title: 'ADWIN',
    paper: 'arXiv 2605.28396',
    why: 'Only the abstract was found; how its prefix window moves was not read.',
  },
  {
    title: 'TurnOPD',
    paper: 'arXiv 2607.05804',
    why: 'Its number of turns follows from the divergence from a teacher in every turn, which no run records here.',
  },
  {
    title: 'ESR',
    paper: 'arXiv 2605.27028',
    why: 'The fixed number of tokens that every rollout is stopped at was not read.',
  },
  {
    title: 'Step-GRPO',
    paper: 'arXiv 2604.16890',
    why: 'The confidence at which a rollout is stopped was not read.',
  },
  {
    title: 'ARRoL',
    paper: 'arXiv 2603.24840',
    why: 'The probability with which a running rollout survives was not read; its repository holds no code yet.',
  },
  {
    title: 'VIP',
    paper: 'arXiv 2602.01601',
    why: 'Its formula of the allocation was not read.',
  },
];
