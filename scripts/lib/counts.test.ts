import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { closingLine, countsOf, sum } from './counts.mjs';

const folder = mkdtempSync(path.join(os.tmpdir(), 'rs-counts-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const absent = path.join(folder, 'absent.json');

interface FileResult {
  readonly status: string;
  readonly assertionResults: readonly { readonly status: string }[];
}

function report(passed: number, failed: number, testResults: readonly FileResult[]): string {
  const file = path.join(folder, 'report.json');
  const counts = { numPassedTests: passed, numFailedTests: failed, numPendingTests: 2, numTodoTests: 1 };
  writeFileSync(file, JSON.stringify({ ...counts, testResults }));
  return file;
}

describe('countsOf', () => {
  it('takes the exit code of a tool as one test', () => {
    expect(countsOf('exit', { code: 0, output: '' }, absent)).toEqual({ passed: 1, failed: 0, skipped: 0 });
    expect(countsOf('exit', { code: 2, output: '' }, absent)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });

  it('reads a report of vitest', () => {
    const file = report(7, 1, [
      { status: 'failed', assertionResults: [{ status: 'passed' }, { status: 'failed' }] },
    ]);
    expect(countsOf('vitest', { code: 1, output: '' }, file)).toEqual({ passed: 7, failed: 1, skipped: 3 });
  });

  it('counts a test file that could not be loaded as failed', () => {
    const file = report(7, 0, [
      { status: 'failed', assertionResults: [] },
      { status: 'passed', assertionResults: [{ status: 'passed' }] },
    ]);
    expect(countsOf('vitest', { code: 1, output: '' }, file).failed).toBe(1);
  });

  it('counts an error outside of the tests as failed', () => {
    const file = report(7, 0, [{ status: 'passed', assertionResults: [{ status: 'passed' }] }]);
    expect(countsOf('vitest', { code: 1, output: '' }, file)).toEqual({ passed: 7, failed: 1, skipped: 3 });
  });

  it('takes the last of the printed counts', () => {
    const output = 'group: 3 passed, 0 failed\n\n12 passed, 2 failed, 4 skipped\n';
    expect(countsOf('closingLine', { code: 1, output }, absent)).toEqual({
      passed: 12,
      failed: 2,
      skipped: 4,
    });
  });

  it.each(['vitest', 'closingLine'] as const)('never takes the silence of a %s suite for success', (how) => {
    expect(countsOf(how, { code: 0, output: 'all is well' }, absent)).toEqual({
      passed: 0,
      failed: 1,
      skipped: 0,
    });
    expect(countsOf('closingLine', { code: 0, output: '0 passed, 0 failed' }, absent).failed).toBe(1);
  });
});

describe('closingLine', () => {
  it('names the skipped only when there are some', () => {
    expect(closingLine({ passed: 4, failed: 0, skipped: 0 })).toBe('4 passed, 0 failed');
    expect(
      closingLine(
        sum([
          { passed: 4, failed: 1, skipped: 0 },
          { passed: 1, failed: 1, skipped: 3 },
        ]),
      ),
    ).toBe('5 passed, 2 failed, 3 skipped');
  });
});
