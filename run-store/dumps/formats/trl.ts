import { countOf, excerptOf, own, promptText, scoreOf, stepOfPath, textId, textOf } from '../fields';
import type { RowFormat } from '../measured';

const NO_SCORES = new Set([
  'step',
  'prompt',
  'completion',
  'advantage',
  'mode',
  'images',
  'image',
  'prompt_id',
]);

/** TRL, log_completions: completions_STEP.parquet with one completion a row, a column a reward function. */
export const trlCompletions: RowFormat = {
  name: 'TRL completions',
  success: ['accuracy_reward', 'accuracy', 'correctness_reward', 'correctness_reward_func', 'correct', 'acc'],
  reward: null,
  matches: (fields) =>
    Object.hasOwn(fields, 'prompt') && Object.hasOwn(fields, 'step') && Object.hasOwn(fields, 'advantage'),
  read: (fields, path) => {
    const prompt = own(fields, 'prompt');
    const text = promptText(prompt);
    if (text === null) return 'prompt is empty';
    const scores: Record<string, number> = {};
    for (const [name, value] of Object.entries(fields)) {
      if (NO_SCORES.has(name) || typeof value === 'string') continue;
      const score = scoreOf(value);
      if (score !== undefined) scores[name] = score;
    }
    if (Object.keys(scores).length === 0) return 'no reward';
    const evaluation = textOf(own(fields, 'mode')) === 'eval';
    return [
      {
        use: evaluation ? 'evaluation' : 'training',
        set: evaluation ? 'evaluation' : 'training',
        step: countOf(own(fields, 'step')) ?? stepOfPath(path),
        prompt: { id: textId(text), excerpt: excerptOf(prompt), difficulty: null, domain: null },
        result: { scores },
      },
    ];
  },
};
