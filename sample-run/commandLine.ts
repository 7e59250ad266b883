import { parseArgs } from 'node:util';
import { DEFAULT_SETTINGS } from './job/settings';
import { StartError } from './runFolder';

/** What a person asked for; a field that is absent was not given. */
export interface CommandLine {
  readonly dir?: string;
  readonly name?: string;
  readonly seed?: number;
  readonly steps?: number;
  readonly pace?: number;
  readonly promptsPerStep?: number;
  readonly groupSize?: number;
  readonly allocation?: string;
  readonly branching?: string;
  readonly credit?: string;
  readonly host: string;
  readonly port?: number;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly allowHosts: readonly string[];
  readonly allowOrigins: readonly string[];
  readonly json: boolean;
  readonly printTokens: boolean;
  readonly exitAtEnd: boolean;
  /** Minutes without any client after which it ends by itself. */
  readonly exitUnwatched?: number;
  readonly help: boolean;
}

const OPTIONS = {
  help: { type: 'boolean', short: 'h' },
  dir: { type: 'string' },
  name: { type: 'string' },
  seed: { type: 'string' },
  steps: { type: 'string' },
  pace: { type: 'string' },
  'prompts-per-step': { type: 'string' },
  'group-size': { type: 'string' },
  allocation: { type: 'string' },
  branching: { type: 'string' },
  credit: { type: 'string' },
  host: { type: 'string' },
  port: { type: 'string' },
  'tls-cert': { type: 'string' },
  'tls-key': { type: 'string' },
  'allow-host': { type: 'string', multiple: true },
  'allow-origin': { type: 'string', multiple: true },
  json: { type: 'boolean' },
  'print-tokens': { type: 'boolean' },
  'exit-at-end': { type: 'boolean' },
  'exit-unwatched': { type: 'string' },
} as const;

export function helpText(
  methods: Readonly<Record<'allocation' | 'branching' | 'credit', readonly string[]>>,
): string {
  const d = DEFAULT_SETTINGS;
  return `Sample run: a small policy learns to add, by real reinforcement learning on one CPU core.
It serves the Rolloutscope protocol on this machine and goes on where it was when it is started again.

  --dir FOLDER             folder of the run (default: sample-run in the user's data folder)
  --name TEXT              name that people see (default: Sample run)
  --seed N                 seed of a new run (default: ${d.seed})
  --steps N                step after which the run ends (default: ${d.steps})
  --pace MS                milliseconds between two tokens of a rollout, 0 for full speed (default: ${d.pace})
  --prompts-per-step N     prompts of a step (default: ${d.promptsPerStep})
  --group-size N           rollouts of a prompt on average (default: ${d.groupSize})
  --allocation METHOD      who gets how many rollouts (default: ${d.allocation.method}): ${methods.allocation.join(', ')}
  --branching METHOD       where rollouts fork (default: ${d.branching.method}): ${methods.branching.join(', ')}
  --credit METHOD          from rewards to advantages (default: ${d.credit.method}): ${methods.credit.join(', ')}

  --port N                 port (default: that of the last start, else any free one)
  --host ADDRESS           address to bind to (default: 127.0.0.1); any other needs --tls-cert and --tls-key
  --tls-cert FILE          certificate, PEM
  --tls-key FILE           its key, PEM
  --allow-host NAME        further host name that clients may use; may be repeated
  --allow-origin ORIGIN    web origin that may connect; may be repeated

  --json                   when ready, print one line of JSON: {"ready":true,"address",…}
  --print-tokens           print the read and steer tokens; they are never printed otherwise
  --exit-at-end            end after the last step (default: keep serving until stopped)
  --exit-unwatched N       minutes: end when nobody has been connected for so long (default: go on)
  -h, --help               this text
`;
}

/** @throws StartError that names the argument and what it may be. */
export function parseCommandLine(argv: readonly string[]): CommandLine {
  const values = parse(argv);
  const integer = (
    name: 'seed' | 'steps' | 'prompts-per-step' | 'group-size' | 'port' | 'exit-unwatched',
    least: number,
    most: number,
  ) => {
    const text = values[name];
    if (text === undefined) return undefined;
    const value = Number(text);
    if (text.trim() === '' || !Number.isSafeInteger(value) || value < least || value > most) {
      throw new StartError(`--${name} must be a whole number from ${least} to ${most}, not “${text}”.`);
    }
    return value;
  };
  const pace = values.pace === undefined ? undefined : Number(values.pace);
  if (pace !== undefined && !(pace >= 0 && pace <= 60_000)) {
    throw new StartError(`--pace must be milliseconds from 0 to 60000, not “${values.pace ?? ''}”.`);
  }
  if ((values['tls-cert'] === undefined) !== (values['tls-key'] === undefined)) {
    throw new StartError('--tls-cert and --tls-key go together: give both or neither.');
  }
  if (values.dir === '') throw new StartError('--dir needs the name of a folder.');
  return defined({
    dir: values.dir,
    name: values.name?.slice(0, 256),
    seed: integer('seed', 0, Number.MAX_SAFE_INTEGER),
    steps: integer('steps', 1, 1_000_000),
    pace,
    promptsPerStep: integer('prompts-per-step', 1, 96),
    groupSize: integer('group-size', 1, 512),
    allocation: values.allocation,
    branching: values.branching,
    credit: values.credit,
    host: values.host ?? '127.0.0.1',
    port: integer('port', 0, 65_535),
    tlsCert: values['tls-cert'],
    tlsKey: values['tls-key'],
    allowHosts: values['allow-host'] ?? [],
    allowOrigins: values['allow-origin'] ?? [],
    json: values.json ?? false,
    printTokens: values['print-tokens'] ?? false,
    exitAtEnd: values['exit-at-end'] ?? false,
    exitUnwatched: integer('exit-unwatched', 1, 10_080),
    help: values.help ?? false,
  });
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS, strict: true, allowPositionals: false }).values;
  } catch (error) {
    const message = error instanceof Error ? error.message.split(/\n|\. To specify/)[0] : String(error);
    throw new StartError(`${(message ?? '').replace(/\.$/, '')}. The arguments are listed by --help.`);
  }
}

type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

function defined<T extends object>(object: T): Defined<T> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as Defined<T>;
}
