import { countOf, excerptOf, own, scoreOf, stepOfPath, textId } from '../fields';
import type { RowFormat } from '../measured';

const TEXT_FIELDS = new Set(['input', 'output', 'gts', 'step', 'uid', 'request_id']);

/** Validation dumps have the same fields as those of training: their folder tells them apart. */
const isValidation = (path: string): boolean =>
  /(?:^|[/\\_.-])(?:val|valid|validation|eval|test)/i.test(path);

/** verl, trainer.rollout_data_dir and trainer.validation_data_dir: STEP.jsonl with one rollout a line. */
export const verlDump: RowFormat = {
  name: 'verl dump',
  success: ['acc', 'accuracy', 'correct', 'is_correct', 'score'],
  reward: 'score',
  matches: (fields) =>
    Object.hasOwn(fields, 'input') && Object.hasOwn(fields, 'output') && Object.hasOwn(fields, 'score'),
  read: (fields, path) => {
    const input = own(fields, 'input');
    if (typeof input !== 'string') return 'input is not a text';
    const scores: Record<string, number> = {};
    for (const [name, value] of Object.entries(fields)) {
      if (TEXT_FIELDS.has(name) || (typeof value === 'string' && name !== 'score')) continue;
      const score = scoreOf(value);
      if (score !== undefined) scores[name] = score;
    }
    if (scores['score'] === undefined) return 'score is not a number';
    const validation = isValidation(path);
    return [
      {
        use: validation ? 'evaluation' : 'training',
        set: validation ? 'validation' : 'training',
        step: countOf(own(fields, 'step')) ?? stepOfPath(path),
        prompt: { id: textId(input), excerpt: excerptOf(input), difficulty: null, domain: null },
        result: { scores },
      },
    ];
  },
};
