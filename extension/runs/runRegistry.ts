import type { ConnectionState, RunHeader, RunKey } from '../../protocol/panels/selection';
import { Emitter, messageOf, type Disposable, type Log } from '../lifecycle';
import type { SessionClient } from '../session/sessionClient';
import { sourcesName } from '../../run-store/dumps/byteSource';
import type { SuccessChoice } from '../../run-store/dumps/success';
import type { OpenParams } from '../session/workerMessages';
import type { Discovery } from '../../protocol/wire/handshake';
import type { FoundRun, Machine } from './discovery';
import { runHeader, type JobProcess, type RunPlace } from './header';
import { readRemembered, type Remembered } from './remembered';

/** The part of VS Code's Memento that is used. */
export interface Memory {
  get(key: string): unknown;
  update(key: string, value: unknown): Thenable<void>;
}

const MEMORY_KEY = 'rolloutscope.attached';

/** States in which attaching again means connecting again. */
const UNCONNECTED: ReadonlySet<ConnectionState> = new Set(['lost', 'refused', 'ended']);

export interface AttachedRun extends RunPlace {
  readonly client: SessionClient;
  readonly remembered: Remembered;
  readonly header: RunHeader;
}

interface Entry {
  place: RunPlace;
  token: string | null;
  readonly client: SessionClient;
  remembered: Remembered;
  header: RunHeader;
  readonly ends: Disposable;
}

export interface RegistryOptions {
  readonly openSession: (open: OpenParams) => SessionClient;
  readonly client: { readonly name: string; readonly version: string };
  /** A token that a person gave for the origin of an address earlier. */
  readonly storedToken: (address: string) => Promise<string | null>;
  readonly memory: Memory;
  readonly log: Log;
  /** This machine, unless a test says another. */
  readonly machine?: Machine;
}

const processOf = ({ host, bootId, pid }: Discovery): JobProcess => ({ host, bootId, pid });

const placeOfRemembered = (one: Extract<Remembered, { kind: 'found' }>): RunPlace => ({
  key: `live:${one.run}`,
  name: one.name,
  where: one.address,
  process: one.process,
});

/** The runs of this window: attached ones and recorded ones, each with its session. */
export class RunRegistry implements Disposable {
  private readonly entries = new Map<RunKey, Entry>();
  private readonly listChanges: Emitter<null>;
  private readonly updates: Emitter<RunKey>;
  readonly onDidChangeList;
  /** A run's header changed. */
  readonly onDidUpdate;

  constructor(private readonly options: RegistryOptions) {
    const onError = (error: unknown) => options.log.error(messageOf(error));
    this.listChanges = new Emitter<null>(onError);
    this.updates = new Emitter<RunKey>(onError);
    this.onDidChangeList = this.listChanges.event;
    this.onDidUpdate = this.updates.event;
  }

  get runs(): readonly AttachedRun[] {
    return [...this.entries.values()].map((entry) => this.seen(entry));
  }

  get(key: RunKey | null): AttachedRun | null {
    const entry = key === null ? undefined : this.entries.get(key);
    return entry ? this.seen(entry) : null;
  }

  /** Attaches to a run that was found, with the tokens of its file. */
  attachFound({ discovery }: FoundRun): AttachedRun {
    const { run, name, address, tokens } = discovery;
    const process = processOf(discovery);
    return this.attach(
      { key: `live:${run}`, name, where: address, process },
      { kind: 'found', run, name, address, process },
      tokens.steer,
    );
  }

  attachAddress(address: string, token: string | null): AttachedRun {
    return this.attach(
      { key: `live:${address}`, name: new URL(address).host, where: address },
      { kind: 'address', address },
      token,
    );
  }

  openRecorded(folder: string): AttachedRun {
    const key: RunKey = `recorded:${folder}`;
    const known = this.entries.get(key);
    if (known) return this.seen(known);
    const name = /[^/\\]+[/\\]*$/.exec(folder)?.[0].replace(/[/\\]+$/, '') ?? folder;
    const place = { key, name, where: folder };
    return this.add(place, { kind: 'recorded', folder }, null, { kind: 'recorded', folder });
  }

  /** Opens files of results; again with another choice, they are read anew. */
  openResults(files: readonly string[], choice: SuccessChoice): AttachedRun {
    const key: RunKey = `recorded:${files.join('\n')}`;
    const known = this.entries.get(key);
    if (known?.remembered.kind === 'results') {
      const { score, threshold } = known.remembered.choice;
      const same = score === choice.score && threshold === choice.threshold;
      if (same && known.header.state !== 'refused') return this.seen(known);
      this.detach(key);
    }
    const place = { key, name: sourcesName(files), where: files.join(', ') };
    const remembered = { kind: 'results' as const, files: [...files], choice };
    return this.add(place, remembered, null, { kind: 'results', files, choice });
  }

  detach(key: RunKey): void {
    const entry = this.entries.get(key);
    if (!entry) return;
    this.entries.delete(key);
    entry.ends.dispose();
    entry.client.dispose();
    this.remember();
    this.listChanges.fire(null);
  }

  /** Connects again with this token. */
  useToken(key: RunKey, token: string): void {
    const entry = this.entries.get(key);
    if (!entry || entry.place.key.startsWith('recorded:')) return;
    entry.token = token;
    entry.client.retarget({ address: entry.place.where, token });
  }

  /** A job that restarted has another address and other tokens: its run is followed there. */
  follow(found: readonly FoundRun[]): void {
    for (const { discovery, place } of found) {
      const entry = this.entries.get(`live:${discovery.run}`);
      if (!entry || entry.remembered.kind !== 'found') continue;
      const { address, tokens } = discovery;
      const process = processOf(discovery);
      if (entry.place.process?.pid !== process.pid) {
        // A restarted job may answer where it did before.
        entry.place = { ...entry.place, process };
        entry.remembered = { ...entry.remembered, process };
        this.remember();
      }
      if (entry.place.where === address && entry.token === tokens.steer) continue;
      if (place === 'elsewhere' && !address.startsWith('wss:')) continue;
      this.options.log.info(`${discovery.name} is followed to ${address}`);
      entry.place = { ...entry.place, where: address };
      entry.token = tokens.steer;
      entry.remembered = { ...entry.remembered, address };
      entry.client.retarget({ address, token: tokens.steer });
      this.remember();
    }
  }

  /** Opens what was open in this window before it was reloaded. */
  async restore(found: readonly FoundRun[]): Promise<void> {
    for (const one of readRemembered(this.options.memory.get(MEMORY_KEY))) {
      if (one.kind === 'recorded') {
        this.openRecorded(one.folder);
      } else if (one.kind === 'results') {
        this.openResults(one.files, one.choice);
      } else if (one.kind === 'address') {
        this.attachAddress(one.address, await this.options.storedToken(one.address));
      } else {
        const now = found.find(({ discovery }) => discovery.run === one.run);
        if (now) this.attachFound(now);
        else this.attach(placeOfRemembered(one), one, null);
      }
    }
  }

  dispose(): void {
    for (const { client, ends } of this.entries.values()) {
      ends.dispose();
      client.dispose();
    }
    this.entries.clear();
    this.listChanges.dispose();
    this.updates.dispose();
  }

  private attach(place: RunPlace, remembered: Remembered, token: string | null): AttachedRun {
    const known = this.entries.get(place.key);
    if (known) {
      const moved = known.token !== token || known.place.where !== place.where;
      known.place = place;
      if (moved || UNCONNECTED.has(known.header.state)) {
        known.token = token;
        known.client.retarget({ address: place.where, token });
      }
      return this.seen(known);
    }
    const { client } = this.options;
    return this.add(place, remembered, token, {
      kind: 'live',
      target: { address: place.where, token },
      client,
    });
  }

  private add(place: RunPlace, remembered: Remembered, token: string | null, open: OpenParams): AttachedRun {
    const client = this.options.openSession(open);
    const entry: Entry = {
      place,
      token,
      client,
      remembered,
      header: runHeader(place, null),
      ends: client.onReport((report) => {
        entry.header = runHeader(entry.place, report, this.options.machine);
        this.updates.fire(place.key);
      }),
    };
    this.entries.set(place.key, entry);
    this.remember();
    this.listChanges.fire(null);
    return this.seen(entry);
  }

  private seen(entry: Entry): AttachedRun {
    const { place, client, remembered, header } = entry;
    return { ...place, client, remembered, header };
  }

  private remember(): void {
    const list = [...this.entries.values()].map(({ remembered }) => remembered);
    this.options.memory.update(MEMORY_KEY, list).then(undefined, (error: unknown) => {
      this.options.log.warn(`attached runs were not remembered: ${messageOf(error)}`);
    });
  }
}
