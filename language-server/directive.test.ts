import { describe, expect, it } from 'vitest';
import { readDirective } from './directive';

describe('readDirective', () => {
  it('reads all words, on several lines, the last winning', () => {
    const read = readDirective(
      'a: 1\n  # rolloutscope: framework=trl, version=1.13\n#rolloutscope:processes=8 launcher=script processes=7\n',
    );
    expect(read).toEqual({
      framework: 'trl',
      version: '1.13',
      processes: 7,
      launcher: 'script',
      problems: [],
    });
  });

  it.each([
    'framework=foo',
    'version=latest',
    'processes=0',
    'processes=8x',
    'launcher=bash',
    'world=8',
    'trl',
  ])('says that %s means nothing', (word) => {
    const text = `# rolloutscope: ${word}\n`;
    const { problems, ...rest } = readDirective(text);
    expect(rest).toEqual({ framework: null, version: null, processes: null, launcher: null });
    expect(problems.map(({ start, end }) => text.slice(start, end))).toEqual([word]);
  });

  it('ignores what is not a comment of its own', () => {
    expect(readDirective('run_name: "x # rolloutscope: framework=none"\n').framework).toBeNull();
  });
});
