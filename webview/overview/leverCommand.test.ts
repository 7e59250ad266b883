import { describe, expect, it } from 'vitest';
import type { FindingRow } from '../../protocol/panels/overview';
import { leverCommand } from './leverCommand';

const finding = (subjects: FindingRow['subjects']): FindingRow => ({
  id: 'f',
  by: 'job',
  step: 4,
  steps: 0,
  code: 'c',
  severity: 'warning',
  title: 't',
  evidence: 'e',
  ...(subjects ? { subjects } : {}),
});
const none = finding(undefined);

describe('the command behind a lever', () => {
  it('takes its subjects from the finding when the lever names none', () => {
    const of = finding([
      { type: 'step', id: '4' },
      { type: 'rollout', id: 'a/1' },
    ]);
    expect(leverCommand({ label: 'Stop', action: 'stop' }, of)).toEqual({
      id: 'stop',
      subject: { type: 'rollout', id: 'a/1' },
    });
  });

  it('prefers what the lever names', () => {
    const lever = {
      label: 'Give 8',
      action: 'allocate' as const,
      params: {
        subjects: [
          { type: 'prompt', id: 'p' },
          { type: 'worker', id: 'w' },
        ],
        add: 8,
      },
    };
    expect(leverCommand(lever, finding([{ type: 'prompt', id: 'q' }]))).toEqual({
      id: 'allocate',
      subjects: [{ type: 'prompt', id: 'p' }],
      add: 8,
    });
  });

  it('is none when too little is named to ask for it', () => {
    expect(leverCommand({ label: 'Stop', action: 'stop' }, none)).toBeNull();
    expect(leverCommand({ label: 'Skip', action: 'skip', params: { prompts: [1, null] } }, none)).toBeNull();
    expect(leverCommand({ label: 'Fork', action: 'fork', params: { node: 'n', at: 'x' } }, none)).toBeNull();
    expect(leverCommand({ label: 'Undo', action: 'undo' }, none)).toBeNull();
  });

  it('takes only values of the right type from a job', () => {
    expect(
      leverCommand({ label: 'Pause', action: 'pause', params: { mode: 7, target: 'run' } }, none),
    ).toEqual({
      id: 'pause',
      target: 'run',
    });
    expect(
      leverCommand({ label: 'M', action: 'setMethod', params: { kind: 'evil', method: {} } }, none),
    ).toEqual({
      id: 'setMethod',
      kind: 'allocation',
    });
    expect(leverCommand({ label: 'Fork', action: 'fork', params: { node: 'n', at: 12 } }, none)).toEqual({
      id: 'fork',
      node: 'n',
      at: 12,
    });
  });
});
