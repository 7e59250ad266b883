import { describe, expect, it } from 'vitest';
import { detectFramework, topLevelKeys } from './detect';
import { recordedVerdicts } from './testing/recordedVerdicts';

describe('detectFramework', () => {
  it('knows the recorded TRL configs, also broken ones, and not the empty', () => {
    const missed = recordedVerdicts().filter(({ yaml }) => detectFramework(yaml, 'config.yaml') === null);
    // Files without a single key of GRPO among the first keys, and files that hold no mapping at all.
    expect(missed.length / recordedVerdicts().length).toBeLessThan(0.05);
    expect(missed.filter(({ yaml }) => /^num_generations:/m.test(yaml)).map(({ id }) => id)).toEqual([]);
  });

  it('is not misled by a misspelt group size', () => {
    expect(detectFramework('num_generation: 4\nlearning_rate: 1e-6\n', 'x.yaml')).toBe('trl');
    expect(detectFramework('num-generations: 4\nlearning_rate: 1e-6\n', 'x.yaml')).toBe('trl');
  });

  it('takes the path only to break a tie', () => {
    const text = 'learning_rate: 1e-6\nmax_steps: 10\n';
    expect(detectFramework(text, 'recipes/grpo/x.yaml')).toBe('trl');
    expect(detectFramework(text, 'recipes/sft/x.yaml')).toBeNull();
    expect(detectFramework('a: 1\n', 'recipes/grpo/x.yaml')).toBeNull();
  });
});

describe('topLevelKeys', () => {
  it('reads quoted keys, CRLF and a byte order mark, and nothing indented', () => {
    expect(topLevelKeys('\ufeffa: 1\r\n"b" : 2\r\n  c: 3\r\n# d: 4\r\ne:\r\nf:5\r\n')).toEqual([
      'a',
      'b',
      'e',
    ]);
  });
});
