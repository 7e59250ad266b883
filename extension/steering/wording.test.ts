import { describe, expect, it } from 'vitest';
import { STEERING_NAMES, type SteeringAnswer } from '../../protocol/wire/steering';
import { request, type SteeringRequest } from './request';
import { conditionText, confirmation } from './wording';

const preview = (over: Partial<SteeringAnswer> = {}): SteeringAnswer => ({
  commandId: 'c',
  state: 'preview',
  changed: false,
  sentence: '',
  ...over,
});
const facts = { author: 'user-7', reason: '' };
const prompt = (id: string) => ({ type: 'prompt' as const, id });

describe('the confirmation of a steering request', () => {
  it('names the effect in rollouts, tokens and seconds, who gains and loses, who and why', () => {
    const prompts = Array.from({ length: 12 }, (_, i) => prompt(`p${i}`));
    const asked = request(
      'allocate',
      { subjects: prompts, rollouts: { add: 8 }, charge: 'extra', untilStep: 450 },
      prompts,
    );
    const answer = preview({
      rollouts: { before: 1024, after: 1120 },
      tokens: { before: 760_000, after: 848_000 },
      seconds: { before: 152, after: 165 },
      fromStep: 413,
      untilStep: 450,
      subjects: prompts.map((subject) => ({ subject, before: 2, after: 10 })),
    });
    expect(
      confirmation(asked, answer, { author: 'user-7', reason: 'rare prompts fade, pass@64 falls.' }),
    ).toEqual({
      question: 'Give 96 more rollouts to 12 prompts?',
      detail: [
        'Rollouts 1,024 → 1,120 (+96)',
        'Tokens 760\u202fk → 848\u202fk (+88\u202fk, estimated)',
        'Step time 152\u202fs → 165\u202fs (+13\u202fs, estimated)',
        '',
        '12 go from 2 to 10 each. No one gets fewer.',
        '',
        'Reason: rare prompts fade, pass@64 falls. Recorded as user-7. Until step 450 or until undone.',
      ].join('\n'),
      button: 'Apply from Step 413',
    });
  });

  it('says who loses when the total of the step stays', () => {
    const asked = request(
      'allocate',
      { subjects: [prompt('p0')], rollouts: { add: 8 }, charge: 'total' },
      [],
    );
    const answer = preview({
      sentence: 'The total of the step cannot change.',
      rollouts: { before: 64, after: 64 },
      subjects: [
        { subject: prompt('p0'), before: 8, after: 16 },
        ...['a', 'b', 'c', 'd', 'e'].map((id, i) => ({
          subject: prompt(id),
          before: 8,
          after: i < 3 ? 6 : 7,
        })),
      ],
    });
    const { question, detail } = confirmation(asked, answer, facts);
    expect(question).toBe('Give 8 more rollouts to prompt p0, taken from the other prompts?');
    expect(detail).toContain('The total of the step cannot change.\np0 goes from 8 to 16.');
    expect(detail).toContain('5 get fewer (−8): a, b, c and 2 others.');
  });

  const every: readonly SteeringRequest[] = [
    request('pause', { target: { type: 'run' }, mode: 'step-boundary' }, []),
    request('pause', { target: { type: 'prompt', id: 'p1' }, mode: 'now' }, []),
    request('resume', { target: { type: 'run' } }, []),
    request('step', { n: 1 }, []),
    request('allocate', { subjects: [{ type: 'run', id: 'r' }], rollouts: { set: 8 }, charge: 'extra' }, []),
    request('allocate', { subjects: [prompt('a'), prompt('b')], each: [3, 9], charge: 'extra' }, []),
    request('setMethod', { kind: 'allocation', method: 'knapsack', parameters: {} }, [], 'Knapsack-RL'),
    request('skip', { prompts: ['p1'] }, []),
    request('undo', { undoes: 'c9' }, [], 'skip p1'),
    request('fork', { node: 'n1', at: 37, n: 4, use: 'probe', hint: { text: 'x' } }, []),
    request('stop', { subject: { type: 'group', id: 'g1' } }, []),
    request('break.add', { condition: { metric: 'zeroGradientShare', op: '>', value: 0.5 } }, []),
    request('break.remove', { breakpoint: 'b1' }, [], 'the step time (s) is above 10'),
  ];

  it('asks a question for every request, with a verb on its button', () => {
    expect(new Set(every.map(({ name }) => name))).toEqual(new Set(STEERING_NAMES));
    expect(
      every.map((one) => {
        const { question, button } = confirmation(one, preview(), facts);
        return `${question} [${button}]`;
      }),
    ).toEqual([
      'Pause the run at the end of the step? [Pause]',
      'Pause prompt p1 now, between two tokens? [Pause]',
      'Resume the run? [Resume]',
      'Run one step, then pause? [Run]',
      'Set the budget of every prompt to 8 rollouts? [Apply]',
      'Set the budgets of 2 prompts, 12 rollouts in all? [Apply]',
      'Change the allocation method to Knapsack-RL? [Apply]',
      'Skip prompt p1? [Skip]',
      'Undo “skip p1”? [Undo]',
      'Fork 4 probes with a hint at position 37 of n1? [Fork]',
      'Stop group g1? [Stop]',
      'Pause the run when the share of groups without gradient is above .50? [Add Break]',
      'Remove the break “the step time (s) is above 10”? [Remove]',
    ]);
  });

  it('words a condition with its unit', () => {
    expect(conditionText({ metric: 'stepSeconds', op: '<', value: 2.5 })).toBe(
      'the step time (s) is below 2.5',
    );
    expect(conditionText({ metric: 'budget', op: '>', value: 64 })).toBe(
      'the budget of a prompt (rollouts) is above 64',
    );
  });
});
