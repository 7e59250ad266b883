import { describe } from 'vitest';
import { ROLLOUTSCOPE_VSIX } from './harness/places';
import { useWorkbench } from './harness/session';
import { seesTheBudgets } from './mainJob/budgets';
import { outlivesTheProcess } from './mainJob/lives';
import { readsTheRecord } from './mainJob/record';
import { opensWhatWasRecorded } from './mainJob/recorded';
import { seesTheRun } from './mainJob/seeing';
import { steersTheRun } from './mainJob/steering';
import { AUTHOR, type Story } from './mainJob/story';

describe('the main job, end to end', () => {
  const session = useWorkbench(
    () => ({
      vsix: [ROLLOUTSCOPE_VSIX],
      settings: { 'rolloutscope.author': AUTHOR, 'workbench.colorTheme': 'Default Dark Modern' },
    }),
    { width: 1760, height: 1000 },
  );
  const story: Story = { session, prompt: '', node: '', at: 0, journal: '' };

  seesTheRun(story);
  steersTheRun(story);
  seesTheBudgets(story);
  readsTheRecord(story);
  outlivesTheProcess(story);
  opensWhatWasRecorded(story);
});
