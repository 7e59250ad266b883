import { homedir } from 'node:os';
import { join } from 'node:path';
import { realClock } from './clock';
import { helpText, parseCommandLine, type CommandLine } from './commandLine';
import { methodIds } from './job/methodTable';
import { readWeights } from './weightsFile';
import { reasonOf, StartError } from './runFolder';
import { serveRun, type ServedRun } from './serveRun';
import { Unwatched } from './unwatched';

const LOOK_MS = 5_000;

const defaultFolder = (): string =>
  join(process.env['XDG_DATA_HOME'] ?? join(homedir(), '.local', 'share'), 'rolloutscope', 'sample-run');

function announce(served: ServedRun, options: CommandLine): void {
  const { run, incarnation } = served.job.describe();
  if (options.json) {
    const line = {
      ready: true,
      address: served.address,
      run: run.id,
      incarnation: incarnation.number,
      discovery: served.discovery[0] ?? null,
      ...(options.printTokens ? { tokens: served.tokens } : {}),
    };
    process.stdout.write(`${JSON.stringify(line)}\n`);
    return;
  }
  const goesOn = served.resumedAfter === null ? '' : `, goes on after step ${served.resumedAfter}`;
  const lines = [
    `Sample run ${run.id} (start ${incarnation.number}${goesOn}) serves ${served.address}`,
    `Folder: ${served.folder}`,
    served.discovery[0] === undefined
      ? 'No discovery file could be written: attach by address, with the tokens of --print-tokens.'
      : 'Attach to it from VS Code with “Rolloutscope: Attach”; it is found by itself on this machine.',
    ...(options.printTokens
      ? [`Read token: ${served.tokens.read}`, `Steer token: ${served.tokens.steer}`]
      : []),
    'Ctrl+C ends it; started again with the same folder it goes on.',
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

async function main(): Promise<void> {
  const options = parseCommandLine(process.argv.slice(2));
  if (options.help) {
    process.stdout.write(helpText(methodIds()));
    return;
  }
  const weights = await readWeights(process.argv[1] ?? '');
  const served = await serveRun({ ...options, dir: options.dir ?? defaultFolder() }, weights, realClock);
  process.on('exit', () => served.release());
  const end = (): void => {
    // A disk or client that hangs must not keep the process.
    setTimeout(() => process.exit(1), 5000).unref();
    void served.close().then(() => process.exit());
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
  announce(served, options);
  if (options.exitUnwatched !== undefined) {
    const watch = new Unwatched(options.exitUnwatched * 60_000, realClock.now());
    setInterval(() => {
      if (watch.look(served.clients(), realClock.now())) end();
    }, LOOK_MS).unref();
  }
  try {
    await served.done;
  } catch (error) {
    served.job.fail(reasonOf(error));
    process.stderr.write(
      `The run has failed: ${error instanceof Error ? (error.stack ?? '') : String(error)}\n`,
    );
    process.exitCode = 1;
  }
  if (options.exitAtEnd) end();
  else if (!options.json)
    process.stdout.write('The run has ended and stays readable. Ctrl+C ends the server.\n');
}

main().catch((error: unknown) => {
  process.stderr.write(
    error instanceof StartError
      ? `${error.message}\n`
      : `The sample run could not start: ${reasonOf(error)}\n`,
  );
  process.exit(2);
});
