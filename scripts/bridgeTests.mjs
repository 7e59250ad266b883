import { BRIDGE, BRIDGE_PYTHON, prepareBridge } from './lib/bridgeVenv.mjs';
import { closingLine, countsOf, sum } from './lib/counts.mjs';
import { TOOLS } from './lib/paths.mjs';
import { run, runMain } from './lib/run.mjs';

const EXAMPLE = 'bridge/examples/plain_loop.py --dir $CONFORMANCE_DIR';

// The Python bridge: its types, style and tests, then the conformance suite against the loop of its examples.
await runMain(async () => {
  await prepareBridge();
  const python = (...args) => run(BRIDGE_PYTHON, args, { cwd: BRIDGE });
  const exits = [
    await python('-m', 'ruff', 'check', '--quiet', '.'),
    await python('-m', 'ruff', 'format', '--check', '--quiet', '.'),
    await python('-m', 'mypy'),
  ].map((ended) => countsOf('exit', ended, ''));
  const tests = await python('-m', 'pytest', '-q');
  const conformance = await run(process.execPath, [
    TOOLS.tsx,
    'test/conformance/conformance.ts',
    '--launch',
    `'${BRIDGE_PYTHON}' ${EXAMPLE}`,
  ]);
  const total = sum([...exits, pytestCounts(tests), countsOf('closingLine', conformance, '')]);
  console.log(closingLine(total));
  return total.failed > 0 ? 1 : 0;
});

/** pytest's own last line names only what there was. */
function pytestCounts({ code, output }) {
  const last = output.trimEnd().split('\n').at(-1) ?? '';
  const of = (word) => Number(new RegExp(`(\\d+) ${word}`).exec(last)?.[1] ?? 0);
  const counts = { passed: of('passed'), failed: of('failed') + of('error'), skipped: of('skipped') };
  const silent = counts.passed + counts.failed === 0 || (code !== 0 && counts.failed === 0);
  return silent ? { ...counts, failed: counts.failed + 1 } : counts;
}
