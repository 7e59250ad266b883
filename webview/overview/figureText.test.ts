import { describe, expect, it } from 'vitest';
import type { Figure } from '../../protocol/panels/overview';
import { figureText, seriesOf } from './figureText';

const figure = (id: Figure['id'], value: number | null, rest: Partial<Figure> = {}): Figure => ({
  id,
  value,
  of: null,
  series: [1, 2, Number.NaN],
  median: null,
  expected: null,
  running: false,
  finding: null,
  ...rest,
});
const AROUND = { ended: 3, stillRunning: 61, tailSeconds: null, mostBehind: -1 };
const words = (f: Figure) => {
  const { value, unit, second } = figureText(f, AROUND);
  return [value, unit, second];
};
const NB = '\u202f';

describe('figures in words', () => {
  it('compare throughput with the median of the steps that have one', () => {
    expect(words(figure('throughput', 41_200, { median: 50_400 }))).toEqual([
      '41.2',
      'k\u00a0tok/s',
      `18${NB}% under the median of 2`,
    ]);
    expect(words(figure('throughput', 900, { median: 900 }))).toEqual(['900', 'tok/s', 'at the median of 2']);
  });

  it('say of a running step that it still runs', () => {
    expect(words(figure('stepSeconds', 187, { median: 152, running: true }))).toEqual([
      '187',
      's, running',
      `median 152${NB}s`,
    ]);
    expect(words(figure('slowestTenth', 0.29, { expected: 55, running: true }))[2]).toBe(
      `55${NB}s so far, 61 still run`,
    );
    expect(words(figure('slowestTenth', 0.29, { expected: 55 }))[2]).toBe(`55${NB}s with only them`);
  });

  it('take the tail and the age of tokens from the step when the figure does not bring them', () => {
    const around = { ended: 3, stillRunning: 4, tailSeconds: 12, mostBehind: 3 };
    expect(figureText(figure('slowestTenth', 0.2, { running: true }), around).second).toBe(
      `12${NB}s so far, 4 still run`,
    );
    expect(figureText(figure('staleness', 0.2), around).second).toBe('slowest rollouts up to 3 behind');
    expect(figureText(figure('staleness', 0.2, { expected: 5 }), around).second).toBe(
      'oldest token 5 behind',
    );
  });

  it('name their whole', () => {
    expect(words(figure('effectiveBatch', 561, { of: 1024 }))).toEqual([
      '561',
      'of 1,024',
      'rollouts with a gradient',
    ]);
    expect(words(figure('zeroGradientGroups', 70, { of: 128, expected: 64 }))).toEqual([
      '70',
      'of 128',
      '64 expected at their rates',
    ]);
  });

  it('are undecided while no group has closed', () => {
    const running = { of: 0, running: true };
    expect(words(figure('zeroGradientGroups', 0, running))[0]).toBe('none closed yet');
    expect(words(figure('zeroGradientGroups', 0, { of: 3, running: true }))[0]).toBe('0');
    expect(words(figure('effectiveBatch', 0, { of: 192, running: true }))).toEqual([
      'undecided',
      '',
      'rollouts with a gradient',
    ]);
    expect(words(figure('effectiveBatch', 0, { of: 192 }))[0]).toBe('0');
  });

  it('have no point of a running step where groups decide', () => {
    const series = [4, 5, 0];
    expect(seriesOf(figure('effectiveBatch', 0, { series, running: true }))).toEqual([4, 5, Number.NaN]);
    expect(seriesOf(figure('effectiveBatch', 0, { series }))).toEqual(series);
    expect(seriesOf(figure('throughput', 0, { series, running: true }))).toEqual(series);
  });

  it('are not compared before anything has ended', () => {
    const begun = figure('throughput', 900, { median: 1000, running: true });
    expect(figureText(begun, { ...AROUND, ended: 0 }).second).toBe('');
    expect(figureText({ ...begun, value: 0 }, AROUND).second).toBe('');
    expect(figureText(begun, AROUND).second).toContain('under the median');
  });

  it('are a word, never 0, when there is no value', () => {
    expect(words(figure('staleness', null))).toEqual(['none yet', '', '']);
    expect(words(figure('staleness', Number.NaN))).toEqual(['none yet', '', '']);
    expect(words(figure('staleness', 0))).toEqual(['.00', 'versions', '']);
  });
});
