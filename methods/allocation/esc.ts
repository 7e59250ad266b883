import { counted, figure } from '../figures';
import { integerParameter, numberOf } from '../parameters';
import { Refusal } from '../refusal';
import { allocationMethod } from './allocator';
import type { AllocationRequest, RoundDecision } from './allocator';
import { answerCounts } from './asc';
import { numbersIn } from './inputs';

const window = integerParameter(
  'window',
  5,
  [1, 1000],
  'Answers that are sampled together and compared (w).',
  'rollouts',
);
const most = integerParameter('most', 40, [1, 10_000], 'Most answers of a prompt (L).', 'rollouts');

/** Expected answers until a window agrees, for these probabilities of the distinct answers. */
export function escExpected(
  probabilities: readonly number[],
  by: { readonly window: number; readonly most: number },
): number {
  const windows = Math.floor(by.most / by.window);
  const agrees = probabilities.reduce((sum, p) => sum + p ** by.window, 0);
  let expected = (1 - agrees) ** (windows - 1) * windows;
  for (let i = 0; i + 1 < windows; i++) expected += agrees * (1 - agrees) ** i * (i + 1);
  return by.window * expected;
}

/**
 * ESC, early-stopping self-consistency: windows of answers until all of one window are the same, at most ⌊L / w⌋
 * windows (Li et al., arXiv 2401.10480; early_stop_gsm8k.py). The answer is then that of the last window, even against
 * an earlier majority; without one it is the most common of all. `inputs.budget` is not read. A window of which not
 * every rollout finished does not agree.
 */
export const esc = allocationMethod({
  id: 'esc',
  title: 'ESC (early-stopping self-consistency)',
  summary: 'Samples answers in windows and stops once all of one window agree.',
  family: 'stop',
  confidence: 'exact',
  source: {
    paper: 'arXiv 2401.10480',
    equation: 'early stopping by windows',
    code: 'Yiwei98/ESC:early_stop_gsm8k.py, control_scheme.py:cal_n',
    commit: '799157a4d2',
  },
  parameters: [window, most],
  keepsTotal: false,
  needs: ['answers'],
  uses: [],
  caveats: [
    'A window that agrees decides the answer, also against a larger earlier majority.',
    'One window is asked for at a time, so a step takes as many rounds as its longest prompt has windows.',
  ],
  decide: ({ inputs, parameters, round, finished, memory }): RoundDecision => {
    const size = numberOf(parameters, window);
    const windows = Math.floor(numberOf(parameters, most) / size);
    if (windows === 0) {
      throw new Refusal(
        'bad-parameter',
        `A window of ${size} does not fit into ${numberOf(parameters, most)} answers: lower window or raise most.`,
      );
    }
    const active =
      round === 0 ? inputs.prompts.map((_, prompt) => prompt) : (numbersIn(memory, 'active') ?? []);
    const before = numbersIn(memory, 'seen') ?? active.map(() => 0);
    const going: number[] = [];
    const seen: number[] = [];
    const requests = active.map((prompt, i): AllocationRequest => {
      const { answers } = finished[prompt]!;
      const newest = answers.slice(before[i]);
      const distinct = answerCounts(newest).length;
      const numbers = { window: round, distinct, answers: answers.length };
      if (round > 0 && newest.length === size && distinct === 1) {
        return {
          prompt,
          action: 'stop',
          count: 0,
          reasonCode: 'agrees',
          reason: `${size === 1 ? 'The answer' : `All ${size} answers`} of window ${round} agree${size === 1 ? 's with itself' : ''}: no more.`,
          numbers,
        };
      }
      if (round >= windows) {
        const counts = answerCounts(answers);
        const top = counts.length === 0 ? 0 : Math.max(...counts) / answers.length;
        return {
          prompt,
          action: 'stop',
          count: 0,
          reasonCode: 'at-most',
          reason: `None of ${counted(windows, 'window')} agrees: the most common of ${counted(answers.length, 'answer')} has a share of ${figure(top)}.`,
          numbers: { ...numbers, topShare: top },
        };
      }
      going.push(prompt);
      seen.push(answers.length);
      return {
        prompt,
        action: 'launch',
        count: size,
        reasonCode: 'window',
        reason:
          round === 0
            ? `Window 1 of ${windows}: ${counted(size, 'answer')}.`
            : newest.length < size
              ? `Only ${newest.length} of ${size} rollouts of window ${round} finished: ${size} more.`
              : `Window ${round} has ${distinct} distinct answers: ${size} more.`,
        numbers,
      };
    });
    return {
      requests,
      done: going.length === 0,
      memory: { active: going, seen },
      shared: { window: size, windows, active: going.length },
    };
  },
});
