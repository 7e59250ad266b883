import { afterEach, describe, expect, it } from 'vitest';
import { TRAIN_TASKS } from '../../tasks/taskSet';
import { JobHarness } from '../jobHarness';

const ids = TRAIN_TASKS.slice(0, 3).map(({ id }) => id);
const subjects = ids.map((id) => ({ type: 'prompt' as const, id }));

describe('a budget for each prompt of one request', () => {
  const harness = new JobHarness({ settings: { steps: 5, promptsPerStep: 3, groupSize: 2 } });
  const done = harness.job.run();
  afterEach(async () => {
    harness.job.stop();
    await done;
  });

  it('is previewed, holds from the next step on, and goes back with one undo', async () => {
    await harness.runningNode(1);
    const each = [1, 3, 2];
    const asked = { subjects, each, charge: 'extra' } as const;
    const preview = harness.steer('allocate', { ...asked, dryRun: true });
    expect(preview.rollouts?.after).toBe(6);
    const answer = harness.steer('allocate', { commandId: 'each', ...asked });
    expect(answer).toMatchObject({ state: 'applied', rollouts: { after: 6 } });
    expect(answer.sentence).toMatch(/1 to 3 rollouts, each its own/u);
    for (const [subs, budgets] of [
      [subjects, [1, 2]],
      [[...subjects.slice(0, 2), subjects[0]!], each],
      [[{ type: 'run' as const, id: 'x' }], [4]],
    ] as const) {
      const refused = harness.steer('allocate', { subjects: [...subs], each: [...budgets], charge: 'extra' });
      expect(refused.state).toBe('refused');
    }
    await harness.until(() => harness.of('stepOpened').length >= 2, 'step 2');
    await harness.until(() => harness.of('stepClosed').length >= 2, 'its end');
    const planned = (step: number): unknown[][] =>
      harness
        .of('groupOpened')
        .filter(({ fields }) => fields['step'] === step)
        .map(({ fields }) => [fields['prompt'], fields['planned']]);
    expect(new Map(planned(2) as [string, number][])).toEqual(new Map(ids.map((id, i) => [id, each[i]!])));
    const undo = harness.steer('undo', { undoes: 'each' });
    expect(undo.state).toBe('applied');
    expect(Object.keys(harness.job.state.control.pins)).toEqual([]);
  });
});
