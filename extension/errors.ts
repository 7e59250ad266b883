import { t } from './l10n';
import { PROBLEM_KINDS, type ProblemKind } from './session/problems';
import { STEER_FAILURES, type SteerFailure } from './session/workerMessages';

/** What a person can do about an error; each is a command. */
export type ErrorAction = 'retry' | 'enterToken' | 'attach' | 'showLog' | 'startSampleRun';

const OTHER_KINDS = [
  'badAddress',
  'plainRemote',
  'secretInAddress',
  'notAJournal',
  'noRun',
  'sampleRunFailed',
  'sampleRunNotOurs',
  'processEnded',
  'badDiscovery',
  'badMessage',
  'noEvents',
  'noPreview',
  'activation',
] as const;

export const ERROR_KINDS = [
  ...PROBLEM_KINDS,
  ...STEER_FAILURES.map((kind) => `steer.${kind}` as const),
  ...OTHER_KINDS,
] as const;
export type ErrorKind = ProblemKind | `steer.${SteerFailure}` | (typeof OTHER_KINDS)[number];

/** `where`: the address, folder or run that it is about. `detail`: second sentence; never a token, never model text. */
export interface ErrorContext {
  readonly where: string;
  readonly detail: string;
}

export interface ErrorEntry {
  /** What is so, then what a person can do. */
  readonly message: (context: ErrorContext) => string;
  readonly actions: readonly ErrorAction[];
  readonly severity: 'error' | 'warning' | 'info';
  /** Silent: the status bar and the views say it; a toast only when a person has just asked for it. */
  readonly silent: boolean;
}

const entry = (
  severity: ErrorEntry['severity'],
  actions: readonly ErrorAction[],
  message: ErrorEntry['message'],
): ErrorEntry => ({ message, actions, severity, silent: true });
const loud = (one: ErrorEntry): ErrorEntry => ({ ...one, silent: false });

/** The one table of errors. */
export const ERRORS: Readonly<Record<ErrorKind, ErrorEntry>> = {
  unreachable: entry('warning', ['retry', 'attach'], ({ where }) =>
    t('Nothing answers at {0}. The network is down, or host and port are others.', where),
  ),
  nothingListens: entry('warning', ['retry', 'attach'], ({ where }) =>
    t('Nothing listens at {0}. Start the job, or check host, port and tunnel.', where),
  ),
  unknownHost: entry('warning', ['attach'], ({ where }) =>
    t(
      'The host of {0} is not known here. Check its name, or attach through an SSH tunnel to 127.0.0.1.',
      where,
    ),
  ),
  timeout: entry('warning', ['retry', 'showLog'], ({ where }) =>
    t('{0} takes connections but does not answer. The job may hang, or a firewall stands between.', where),
  ),
  insecure: entry('error', ['attach'], ({ where }) =>
    t('{0} is not encrypted and not on this machine. Use wss://, or an SSH tunnel to 127.0.0.1.', where),
  ),
  certificate: entry('error', ['attach', 'showLog'], ({ where, detail }) =>
    t(
      'The certificate of {0} is not accepted: {1}. Install its issuer on this machine, or use an SSH tunnel.',
      where,
      detail,
    ),
  ),
  tokenRefused: entry('error', ['enterToken'], () =>
    t('The job refused the token. Paste the one from its start-up lines.'),
  ),
  forbidden: entry('error', ['enterToken', 'showLog'], () =>
    t(
      'The job does not allow this connection. Check the hosts and origins that it lists, or use another token.',
    ),
  ),
  notRolloutscope: entry('error', ['attach'], ({ where }) =>
    t(
      'What answers at {0} is not a training job that Rolloutscope knows. Check the port: the job prints its address when it starts.',
      where,
    ),
  ),
  wrongProtocol: entry('error', ['attach', 'showLog'], ({ where, detail }) =>
    t(
      '{0} speaks another protocol ({1}). Use versions of the job’s publisher and of this extension that belong together.',
      where,
      detail,
    ),
  ),
  tooManyClients: entry('error', ['retry'], () =>
    t('The job serves as many viewers as it allows. Close one, then try again.'),
  ),
  otherRun: entry('error', ['attach'], ({ where, detail }) =>
    t(
      'Another run answers at {0}: {1}. What is shown stays; attach to the new run to see it.',
      where,
      detail,
    ),
  ),
  malformed: entry('error', ['retry', 'showLog'], ({ detail }) =>
    t(
      'The job sent what the protocol does not allow ({0}). Everything before it is kept. Try again, or update the job’s publisher.',
      detail,
    ),
  ),
  oversized: entry('error', ['retry', 'showLog'], () =>
    t(
      'The job sent a frame over 4 MB, which the protocol does not allow. Everything before it is kept. Update the job’s publisher.',
    ),
  ),
  outOfOrder: entry('error', ['retry', 'showLog'], ({ detail }) =>
    t(
      'Events came out of order ({0}). Everything before them is kept. Try again, or update the job’s publisher.',
      detail,
    ),
  ),
  closed: entry('warning', ['retry'], () => t('The connection was closed. The job goes on without us.')),
  silent: entry('warning', ['retry'], () =>
    t('Nothing was heard for a minute. The machine may sleep, or the network is gone.'),
  ),
  slowClient: entry('warning', ['retry'], () =>
    t(
      'The job closed the connection because this window was too slow. It is attached again from where it was.',
    ),
  ),
  shuttingDown: entry('warning', ['retry'], () => t('The job is shutting down.')),
  journal: entry('error', ['showLog'], ({ where, detail }) =>
    t('The recorded run in {0} cannot be read: {1}.', where, detail),
  ),
  results: entry('error', ['showLog'], ({ where, detail }) =>
    t('The results in {0} cannot be read. {1}.', where, detail),
  ),
  workerFailed: entry('error', ['attach', 'showLog'], ({ detail }) =>
    t(
      'The part that reads this run has stopped ({0}). Nothing was changed in the job. Attach again.',
      detail,
    ),
  ),

  'steer.notConnected': loud(
    entry('warning', ['retry'], () =>
      t('The run is not connected. Nothing was sent and nothing was changed.'),
    ),
  ),
  'steer.forbidden': loud(
    entry('warning', ['enterToken'], () =>
      t('This token may read but not steer. Nothing was changed. Enter the steering token of the job.'),
    ),
  ),
  'steer.unsupported': loud(
    entry('warning', [], ({ detail }) => t('This job cannot do that ({0}). Nothing was changed.', detail)),
  ),
  'steer.wrongIncarnation': loud(
    entry('warning', [], () =>
      t('The job restarted after what you saw. Nothing was changed. Look again, then repeat it.'),
    ),
  ),
  'steer.invalid': loud(
    entry('error', ['showLog'], ({ detail }) =>
      t('The request was not understood ({0}). Nothing was changed.', detail),
    ),
  ),
  'steer.unknown': loud(
    entry('warning', ['showLog'], ({ detail }) =>
      t(
        'No answer to the request came back ({0}). It is not known whether the job took it: the steering record shows it if it did.',
        detail,
      ),
    ),
  ),
  'steer.failed': loud(
    entry('error', ['showLog'], ({ detail }) =>
      t('The request failed: {0}. The steering record shows whether the job took it.', detail),
    ),
  ),

  badAddress: entry('error', ['attach'], ({ where }) =>
    t('{0} is not an address. Use ws://127.0.0.1:PORT or wss://HOST:PORT.', where),
  ),
  plainRemote: entry('error', ['attach'], ({ where }) =>
    t(
      '{0} would carry the token unencrypted over the network. Use wss://, or an SSH tunnel to 127.0.0.1.',
      where,
    ),
  ),
  secretInAddress: entry('error', ['attach'], () =>
    t(
      'An address holds no token or password: it would end up in logs. Give the address alone; the token is asked for.',
    ),
  ),
  notAJournal: entry('error', [], ({ where }) =>
    t('{0} holds no recorded run. Choose the folder with journal.json in it.', where),
  ),
  noRun: loud(entry('info', ['attach', 'startSampleRun'], () => t('No run is attached.'))),
  sampleRunFailed: loud(
    entry('error', ['showLog'], ({ detail }) => t('The sample run did not start: {0}.', detail)),
  ),
  sampleRunNotOurs: loud(
    entry('info', [], () =>
      t('No sample run of this extension is running. One that was started elsewhere is stopped there.'),
    ),
  ),
  processEnded: entry('warning', ['retry'], ({ detail }) =>
    t('The job’s process has ended (pid {0}). Start the job again: it is attached by itself.', detail),
  ),
  badDiscovery: entry('warning', [], ({ where, detail }) => t('{0} was passed over: {1}.', where, detail)),
  badMessage: entry('error', ['showLog'], ({ detail }) =>
    t('A panel sent what it may not send ({0}). It was not acted on.', detail),
  ),
  noEvents: loud(entry('info', [], ({ where }) => t('Nothing is recorded about {0}.', where))),
  noPreview: loud(
    entry('warning', ['showLog'], ({ detail }) =>
      t('The job did not say what the request would do ({0}). Nothing was changed. Repeat it.', detail),
    ),
  ),
  activation: loud(
    entry('error', ['showLog'], ({ detail }) => t('Rolloutscope could not start: {0}.', detail)),
  ),
};
