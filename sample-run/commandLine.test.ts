import { describe, expect, it } from 'vitest';
import { helpText, parseCommandLine } from './commandLine';
import { methodIds } from './job/methodTable';
import { StartError } from './runFolder';

describe('the command line', () => {
  it('takes every argument that the help names', () => {
    const help = helpText(methodIds());
    const named = [...help.matchAll(/^ {2}(?:-h, )?--([a-z-]+)(?: ([A-Z]+))?/gm)];
    for (const [, name, value] of named) {
      const text = { N: '3', MS: '10', METHOD: 'uniform', FILE: 'f', FOLDER: 'd' }[value ?? ''] ?? 'x';
      const pair = name === 'tls-cert' ? ['--tls-key', 'k'] : name === 'tls-key' ? ['--tls-cert', 'c'] : [];
      const argv = value === undefined ? [`--${name ?? ''}`] : [`--${name ?? ''}`, text];
      expect(() => parseCommandLine([...argv, ...pair]), name).not.toThrow();
    }
    expect(named.length).toBeGreaterThan(15);
  });

  it('reads numbers, and leaves out what was not given', () => {
    expect(
      parseCommandLine(['--steps', '7', '--pace', '0', '--allow-host', 'a', '--allow-host', 'b']),
    ).toEqual({
      steps: 7,
      pace: 0,
      host: '127.0.0.1',
      allowHosts: ['a', 'b'],
      allowOrigins: [],
      json: false,
      printTokens: false,
      exitAtEnd: false,
      help: false,
    });
  });

  it.each([
    [['--steps', '0'], /--steps must be a whole number from 1/],
    [['--seed', '1.5'], /--seed must be a whole number/],
    [['--port', '70000'], /--port must be .* to 65535/],
    [['--pace', 'fast'], /--pace must be milliseconds/],
    [['--prompts-per-step', '97'], /to 96/],
    [['--steps', ''], /--steps/],
    [['--unknown'], /Unknown option '--unknown'.*--help/],
    [['--steps'], /--steps.*--help/],
    [['extra'], /--help/],
    [['--tls-cert', 'x'], /go together/],
    [['--dir', ''], /--dir/],
  ])('refuses %j and says why', (argv, message) => {
    expect(() => parseCommandLine(argv)).toThrow(StartError);
    expect(() => parseCommandLine(argv)).toThrow(message);
  });
});
