import { describe, expect, it } from 'vitest';
import type { ResultsRead } from '../../run-store/dumps/loadDumps';
import { readThreshold, resultsReport, resultsSentence } from './resultsText';

const RESULTS: ResultsRead = {
  formats: ['verl dump'],
  rows: 1205,
  used: 1200,
  unusable: 5,
  named: [{ place: 'line 7', why: 'not JSON' }],
  notes: ['12.jsonl is shown as step 12'],
  sets: [
    {
      name: 'training',
      use: 'training',
      steps: [1, 2, 3, 4, 5, 6, 7, 8, 9],
      prompts: 300,
      samples: 1198,
      ungraded: 2,
      score: 'acc',
      threshold: 0.5,
    },
  ],
};

describe('what was read of files of results', () => {
  it('is one sentence that names what could not be used', () => {
    expect(resultsSentence(RESULTS)).toMatch(
      /^1.?198 samples were read \(verl dump\)\. 5 of 1.?205 rows could not be used\.$/,
    );
    expect(resultsSentence({ ...RESULTS, unusable: 0 })).not.toMatch(/could not/);
  });

  it('is a report with files, sets, the rule of success, and what was left out', () => {
    const text = resultsReport(RESULTS, ['/a/12.jsonl']);
    for (const part of [
      '/a/12.jsonl',
      'training (training groups): a success is acc ≥ 0.5',
      'steps 1, 2, 3, 4 … 7, 8, 9',
      '2 samples were not graded',
      'lengths and times are not in the file',
      '12.jsonl is shown as step 12',
      'line 7: not JSON',
      'and 4 more',
    ]) {
      expect(text).toContain(part);
    }
  });

  it('takes thresholds as people type them', () => {
    expect(readThreshold(' 0.5 ')).toBe(0.5);
    expect(readThreshold('0,5')).toBe(0.5);
    expect(readThreshold('-1')).toBe(-1);
    expect(readThreshold('')).toBeNull();
    expect(readThreshold('half')).toBeNull();
  });
});
