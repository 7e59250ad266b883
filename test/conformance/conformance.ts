/**
 * Holds a server to the protocol.
 *
 *   conformance --launch "node dist/sample-run.js --dir $CONFORMANCE_DIR"
 *   conformance --address ws://127.0.0.1:4123 --read TOKEN --steer TOKEN
 *
 * The last line counts: `N passed, N failed, N skipped`.
 */
import { parseArgs } from 'node:util';
import { HOSTILE } from './checks/hostile';
import { LAUNCHED } from './checks/launched';
import { OPENING } from './checks/opening';
import { READ_CHECKS } from './checks/reads';
import { STEERING_CHECKS } from './checks/steeringChecks';
import { STREAM } from './checks/stream';
import { makeContext, Skipped, type Check } from './check';
import { LaunchedServer, type Place } from './target';

const GROUPS: readonly (readonly [string, readonly Check[]])[] = [
  ['opening', OPENING],
  ['stream', STREAM],
  ['reads', READ_CHECKS],
  ['hostile input', HOSTILE],
  ['steering', STEERING_CHECKS],
  ['launched', LAUNCHED],
];

const { values } = parseArgs({
  options: {
    launch: { type: 'string' },
    address: { type: 'string' },
    read: { type: 'string' },
    steer: { type: 'string' },
    only: { type: 'string' },
  },
});

const counts = { passed: 0, failed: 0, skipped: 0 };

async function runCheck(
  group: string,
  check: Check,
  place: Place,
  server: LaunchedServer | null,
): Promise<void> {
  const began = Date.now();
  const say = (mark: string, note = '') =>
    console.log(`${mark} ${group}: ${check.name}${note} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
  let made: Awaited<ReturnType<typeof makeContext>> | null = null;
  try {
    made = await makeContext(place, server);
    const lacking = (check.needs ?? []).filter((c) => !made?.context.hello.capabilities.includes(c));
    if (lacking.length > 0) throw new Skipped(`the server does not declare ${lacking.join(', ')}`);
    await check.run(made.context);
    counts.passed++;
    say('ok  ');
  } catch (error) {
    if (error instanceof Skipped) {
      counts.skipped++;
      say('skip', `: ${error.message}`);
    } else {
      counts.failed++;
      say('FAIL');
      console.log(`     ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    }
  } finally {
    made?.close();
  }
}

async function main(): Promise<void> {
  const { launch } = values;
  let shared: LaunchedServer | null = null;
  let place: Place | null = null;
  if (launch !== undefined) {
    shared = new LaunchedServer(launch);
    place = await shared.start();
  } else if (values.address !== undefined && values.read !== undefined && values.steer !== undefined) {
    place = { address: values.address, read: values.read, steer: values.steer };
  }
  if (place === null) {
    console.error('conformance: give --launch COMMAND, or --address, --read and --steer.');
    process.exitCode = 2;
    return;
  }
  for (const [group, checks] of GROUPS) {
    for (const check of checks) {
      if (values.only !== undefined && !`${group}: ${check.name}`.includes(values.only)) continue;
      if (check.launched !== true) {
        await runCheck(group, check, place, null);
      } else if (launch === undefined) {
        counts.skipped++;
        console.log(`skip ${group}: ${check.name}: needs --launch`);
      } else {
        const own = new LaunchedServer(launch);
        try {
          await runCheck(group, check, await own.start(), own);
        } finally {
          await own.dispose();
        }
      }
    }
  }
  await shared?.dispose();
  console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  if (counts.failed > 0 || counts.passed === 0) process.exitCode = 1;
}

void main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
