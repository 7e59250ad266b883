import { allocationMethod } from './allocator';

/**
 * SAO: a single rollout of every prompt (arXiv 2607.07508). The update clips tokens on both sides, which is no matter
 * of budgets. `inputs.budget` is not read: the total is the number of prompts.
 */
export const sao = allocationMethod({
  id: 'sao',
  title: 'SAO',
  summary: 'One rollout for every prompt.',
  family: 'uniform',
  confidence: 'exact',
  source: { paper: 'arXiv 2607.07508', equation: 'n = 1', code: '', commit: '' },
  parameters: [],
  keepsTotal: false,
  caveats: ['A group of one has no baseline of its own: group-relative credit gives it no gradient.'],
  needs: [],
  uses: [],
  decide: ({ inputs }) => ({
    done: true,
    requests: inputs.prompts.map((_, prompt) => ({
      prompt,
      action: 'launch',
      count: 1,
      reasonCode: 'single',
      reason: 'Every prompt gets 1 rollout.',
      numbers: { groupSize: 1 },
    })),
  }),
});
