import { readFile } from 'node:fs/promises';
import { openJournalFolder, JournalWriter } from './server/journalWriter';
import { DiscoveryFiles, discoveryFolder, hostName, readBootId } from './server/discovery';
import { findText } from './server/journalText';
import { Publisher } from './server/publisher';
import { loadTokens, type TokenPair } from './server/tokens';
import { WsServer } from './server/wsServer';
import { readText } from './server/journalFolder';
import type { Clock } from './clock';
import type { CommandLine } from './commandLine';
import { FileKeeper } from './job/checkpoint';
import { placeOfNode } from './job/ids';
import { Job } from './job/job';
import { DEFAULT_SETTINGS, type JobSettings } from './job/settings';
import type { PolicyParameters } from './policy/policyParameters';
import { reasonOf, RunFolder, StartError, type SavedRun } from './runFolder';
import { loadCheckpoint, settle, settleControl } from './startState';

const SERVER_NAME = 'Rolloutscope sample run';
const SERVER_VERSION = '0.1.0';

/** A run that is served and has begun to work. */
export interface ServedRun {
  readonly job: Job;
  readonly address: string;
  readonly tokens: TokenPair;
  readonly discovery: readonly string[];
  readonly folder: string;
  readonly resumedAfter: number | null;
  /** Clients connected now. */
  clients(): number;
  /** Resolves when the last step is done; rejects when the job fails. */
  readonly done: Promise<void>;
  /** Ends it: the loop, the clients, the files by which it is found. */
  close(): Promise<void>;
  /** What must not stay behind, whatever ends the process. */
  release(): void;
}

/** @throws StartError when it cannot begin; the message says what to do. */
export async function serveRun(
  options: CommandLine & { readonly dir: string },
  weights: PolicyParameters,
  clock: Clock,
): Promise<ServedRun> {
  const folder = await RunFolder.open(options.dir);
  try {
    return await begin(folder, options, weights, clock);
  } catch (error) {
    folder.unlock();
    throw error;
  }
}

async function begin(
  folder: RunFolder,
  options: CommandLine & { readonly dir: string },
  weights: PolicyParameters,
  clock: Clock,
): Promise<ServedRun> {
  const before = await folder.readRun();
  const checkpoint = await loadCheckpoint(folder, weights.shape);
  const run = settle(options, before, clock);
  const done = checkpoint?.progress.step ?? 0;
  // Who starts an ended run again wants to see it go on.
  const further = options.steps === undefined && done >= run.steps;
  if (further) run.steps = done + DEFAULT_SETTINGS.steps;
  const journalFolder = folder.file('journal');
  const { manifest, nextIncarnation } = await openJournalFolder(journalFolder, {
    id: run.id,
    name: run.name,
    framework: 'rolloutscope-sample',
    device: 'one CPU core',
    startedAt: run.startedAt,
  });
  const number = Math.max(nextIncarnation, run.starts);
  const incarnation = { number, id: `${run.id}.${number}`, startedAt: clock.unix() };
  const control = await settleControl(folder, options, run);
  const settings: JobSettings = { ...DEFAULT_SETTINGS, ...run, ...control.methods, runId: run.id };

  const publisher = new Publisher({ clock });
  let job: Job | null = null;
  const journal = new JournalWriter({
    folder: journalFolder,
    context: { incarnation, successThreshold: 1, sampling: { temperature: settings.temperature } },
    onStopped: (reason) => job?.sayJournalStopped(reason),
  });
  publisher.attach(journal);
  const checkpoints = new FileKeeper(folder.file('checkpoint.bin'), (reason) =>
    job?.sayNotSaved('checkpoint', reason),
  );
  const controls = new FileKeeper(folder.file('control.json'), (reason) =>
    job?.sayNotSaved('control', reason),
  );
  job = new Job(
    {
      settings,
      clock,
      publisher,
      weights,
      control,
      checkpoint,
      incarnation: number,
      saveControl: (state) => controls.keep(JSON.stringify(state)),
      saveCheckpoint: (bytes) => checkpoints.keep(bytes),
    },
    {
      server: { name: SERVER_NAME, version: SERVER_VERSION },
      run: { ...manifest.run, name: run.name },
      incarnation,
    },
    async (node) => {
      const place = placeOfNode(node);
      if (!place) return null;
      await journal.flush();
      const known = place.incarnation === number ? journal.placeOf(node) : null;
      return known
        ? readText(journalFolder, number, known)
        : findText(journalFolder, place.incarnation, place.step, node);
    },
    true,
  );
  const tokens = await loadTokens(folder.file('tokens.json'));
  const server = await listen(options, run, {
    job,
    publisher,
    journal,
    journalFolder,
    number,
    tokens,
    clock,
  });
  try {
    await folder.writeRun({ ...run, starts: number, port: server.port });
  } catch {
    // The run goes on; a restart then takes its defaults.
  }
  const discovery = new DiscoveryFiles(
    {
      version: 1,
      host: hostName(),
      bootId: readBootId(),
      pid: process.pid,
      address: server.address,
      run: run.id,
      name: run.name,
      incarnation: number,
      startedAt: incarnation.startedAt,
      tokens,
      journal: journalFolder,
    },
    [await discoveryFolder(process.env), folder.path],
  );
  await discovery.publish();
  const served = job;
  const running = served.run();
  let closing: Promise<void> | null = null;
  const release = (): void => {
    discovery.remove();
    folder.unlock();
  };
  return {
    job: served,
    address: server.address,
    tokens,
    discovery: discovery.written,
    folder: folder.path,
    resumedAfter: checkpoint?.progress.step ?? null,
    done: running,
    clients: () => server.clients,
    release,
    close: () => {
      closing ??= (async () => {
        served.stop();
        discovery.remove();
        await running.catch(() => undefined);
        publisher.flush();
        await server.close();
        await journal.close();
        await checkpoints.idle();
        await controls.idle();
        release();
      })();
      return closing;
    },
  };
}

interface Serving {
  readonly job: Job;
  readonly publisher: Publisher;
  readonly journal: JournalWriter;
  readonly journalFolder: string;
  readonly number: number;
  readonly tokens: TokenPair;
  readonly clock: Clock;
}

async function listen(options: CommandLine, run: SavedRun, serving: Serving): Promise<WsServer> {
  const { host, tlsCert, tlsKey, allowHosts, allowOrigins } = options;
  const { job, publisher, journal, journalFolder, number, tokens, clock } = serving;
  const tls =
    tlsCert !== undefined && tlsKey !== undefined
      ? { cert: await readPem(tlsCert, '--tls-cert'), key: await readPem(tlsKey, '--tls-key') }
      : undefined;
  const attempt = (port: number): Promise<WsServer> =>
    WsServer.listen({
      job,
      sources: { publisher, journal, folder: journalFolder, incarnation: number },
      tokens,
      clock,
      host,
      port,
      allowHosts,
      allowOrigins,
      ...(tls ? { tls } : {}),
    });
  try {
    return await attempt(options.port ?? run.port);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    const taken = code === 'EADDRINUSE' || code === 'EACCES';
    // The port of the last start was only a wish.
    if (taken && options.port === undefined) return attempt(0);
    if (taken) {
      throw new StartError(
        `Port ${options.port ?? 0} of ${host} cannot be had (${reasonOf(error)}). Give another one, or leave --port out for any free one.`,
      );
    }
    throw new StartError(reasonOf(error));
  }
}

async function readPem(path: string, flag: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    throw new StartError(`${flag}: ${path} cannot be read (${reasonOf(error)}).`);
  }
}
