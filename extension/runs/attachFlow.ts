import { Uri, env, window, type QuickPickItem } from 'vscode';
import { MANIFEST_NAME } from '../../protocol/journal/format';
import type { ErrorKind } from '../errors';
import { t } from '../l10n';
import type { SelectionStore } from '../selection';
import { plain } from '../statusText';
import type { Teller } from '../tell';
import { parseAddress, tunnelCommand, type Address } from './address';
import type { DiscoveryWatcher, FoundRun } from './discovery';
import type { AttachedRun, Memory, RunRegistry } from './runRegistry';
import { CONSENT_KEY, consentedOrigins } from './consent';
import { tokenProblem, type Tokens } from './tokens';

/** So long a person who attached waits for an answer before the status bar takes over. */
const OUTCOME_MS = 15_000;

export interface AttachDeps {
  readonly registry: RunRegistry;
  readonly discovery: DiscoveryWatcher;
  readonly selection: SelectionStore;
  readonly tokens: Tokens;
  readonly memory: Memory;
  readonly tell: Teller;
  readonly exists: (file: Uri) => Promise<boolean>;
  readonly startSampleRun: () => Promise<void>;
  readonly openResults: () => Promise<void>;
  /** The run answered: something of it is shown. */
  readonly onAttached: () => void;
}

type Choice = QuickPickItem & { readonly act: () => Promise<void> };

/** How a person comes to a run: the picker, an address, a folder, a token. */
export class AttachFlow {
  constructor(private readonly deps: AttachDeps) {}

  /** Runs that were found, or an address, or a recorded run, or the sample run. */
  async pick(): Promise<void> {
    const found = await this.deps.discovery.refresh();
    const others: Choice[] = [
      {
        label: `$(globe) ${t('Enter an address…')}`,
        description: t('ws:// on this machine, wss:// elsewhere'),
        act: () => this.askAddress(),
      },
      { label: `$(folder-opened) ${t('Open a recorded run…')}`, act: () => this.openRecorded() },
      { label: `$(graph-line) ${t('Open evaluation results…')}`, act: () => this.deps.openResults() },
      {
        label: `$(beaker) ${t('Start the sample run')}`,
        description: t('no GPU needed'),
        act: () => this.deps.startSampleRun(),
      },
    ];
    const chosen = await window.showQuickPick([...found.map((one) => this.choiceOf(one)), ...others], {
      title: t('Attach to a Run'),
      placeHolder: found.length === 0 ? t('No run was found on this machine') : t('Which run?'),
      matchOnDescription: true,
    });
    await chosen?.act();
  }

  async found(found: FoundRun): Promise<void> {
    const { address } = found.discovery;
    const parsed = parseAddress(address);
    if ('problem' in parsed) {
      this.tell(parsed.problem, address);
      return;
    }
    if (found.place === 'elsewhere' && parsed.loopback && !(await this.askTunnel(found, parsed))) return;
    if (!(await this.mayUse(parsed))) return;
    await this.shown(this.deps.registry.attachFound(found));
  }

  /** @param token when it is known already; null: the stored one, or the person is asked. */
  async address(text: string, token: string | null = null): Promise<void> {
    const parsed = parseAddress(text);
    if ('problem' in parsed) {
      this.tell(parsed.problem, text);
      return;
    }
    const known = this.deps.discovery.runs.find(
      ({ place, discovery }) => place === 'here' && sameAddress(discovery.address, parsed),
    );
    if (known && token === null) {
      await this.found(known);
      return;
    }
    if (!(await this.mayUse(parsed))) return;
    const used = token ?? (await this.deps.tokens.get(parsed.origin)) ?? (await askToken(parsed.origin));
    if (used === undefined) return;
    await this.deps.tokens.set(parsed.origin, used);
    await this.shown(this.deps.registry.attachAddress(parsed.address, used));
  }

  async openRecorded(folder?: Uri): Promise<void> {
    const chosen =
      folder ??
      (
        await window.showOpenDialog({
          canSelectFiles: false,
          canSelectFolders: true,
          title: t('Open Recorded Run'),
          openLabel: t('Open Recorded Run'),
        })
      )?.[0];
    if (!chosen) return;
    if (chosen.scheme !== 'file' || !(await this.deps.exists(Uri.joinPath(chosen, MANIFEST_NAME)))) {
      this.tell('notAJournal', chosen.fsPath);
      return;
    }
    await this.shown(this.deps.registry.openRecorded(chosen.fsPath));
  }

  async enterToken(run: AttachedRun): Promise<void> {
    const parsed = parseAddress(run.where);
    if ('problem' in parsed) return;
    const token = await askToken(run.name);
    if (token === undefined) return;
    if (run.remembered.kind === 'address') await this.deps.tokens.set(parsed.origin, token);
    this.deps.registry.useToken(run.key, token);
    await this.outcome(run);
  }

  /** Selects the run and, since a person has just asked for it, says once how it went. */
  async shown(run: AttachedRun): Promise<void> {
    this.deps.selection.select({ run: run.key });
    await this.outcome(run);
  }

  private async outcome(run: AttachedRun): Promise<void> {
    const report = await firstOutcome(run);
    if (!report?.problem) {
      if (report) this.deps.onAttached();
      return;
    }
    const { kind, detail } = report.problem;
    if (kind === 'tokenRefused') {
      const again = this.deps.registry.get(run.key);
      if (again) await this.enterToken(again);
      return;
    }
    this.deps.tell.tell(kind, { where: run.where, detail }, true);
  }

  private async askAddress(): Promise<void> {
    const text = await window.showInputBox({
      title: t('Attach to a Run'),
      prompt: t('Address of the job, as it printed it when it started.'),
      placeHolder: 'ws://127.0.0.1:7777',
      // The address is fetched from the terminal where the job printed it.
      ignoreFocusOut: true,
      validateInput: (value) => {
        const parsed = value.trim() === '' ? null : parseAddress(value);
        return parsed && 'problem' in parsed ? PROBLEMS[parsed.problem]?.() : undefined;
      },
    });
    if (text !== undefined && text.trim() !== '') await this.address(text);
  }

  private async askTunnel({ discovery }: FoundRun, { port }: Address): Promise<boolean> {
    const command = tunnelCommand(discovery.host, port);
    const copy = t('Copy Command');
    const attach = t('Attach Through the Tunnel');
    const chosen = await window.showInformationMessage(
      t('{0} runs on {1}. Open a tunnel to it first.', plain(discovery.name), plain(discovery.host)),
      {
        modal: true,
        detail: [
          command ?? t('Its host name cannot be used in a command.'),
          t(
            'Run this on the machine of this window and leave it open. The run then answers at {0}.',
            discovery.address,
          ),
        ].join('\n\n'),
      },
      ...(command === null ? [attach] : [copy, attach]),
    );
    if (chosen === copy && command !== null) await env.clipboard.writeText(command);
    return chosen === attach;
  }

  /** Before an address of another machine is used for the first time, a person says so. */
  private async mayUse({ origin, loopback }: Address): Promise<boolean> {
    if (loopback) return true;
    const used = consentedOrigins(this.deps.memory);
    if (used.includes(origin)) return true;
    const attach = t('Attach');
    const chosen = await window.showWarningMessage(
      t('Attach to {0} for the first time?', origin),
      {
        modal: true,
        detail: t('The token of the run is sent there, and what it answers is shown in this window.'),
      },
      attach,
    );
    if (chosen !== attach) return false;
    await this.deps.memory.update(CONSENT_KEY, [...used, origin]);
    return true;
  }

  private choiceOf(found: FoundRun): Choice {
    const { name, host, address } = found.discovery;
    const attached = this.deps.registry.get(`live:${found.discovery.run}`) !== null;
    const where = found.place === 'here' ? t('on this machine') : t('on {0}', plain(host));
    return {
      label: `$(pulse) ${plain(name)}`,
      description: attached ? `${where}, ${t('attached')}` : where,
      detail: address,
      act: () => this.found(found),
    };
  }

  private tell(kind: ErrorKind, where: string): void {
    this.deps.tell.tell(kind, { where }, true);
  }
}

const PROBLEMS: Partial<Readonly<Record<ErrorKind, () => string>>> = {
  badAddress: () => t('Not an address. Use ws://127.0.0.1:PORT or wss://HOST:PORT.'),
  plainRemote: () => t('Over the network only wss://, or an SSH tunnel to 127.0.0.1.'),
  secretInAddress: () => t('The address alone; the token is asked for.'),
};

function sameAddress(one: string, other: Address): boolean {
  const parsed = parseAddress(one);
  return !('problem' in parsed) && parsed.address === other.address;
}

async function askToken(whom: string): Promise<string | undefined> {
  const text = await window.showInputBox({
    title: t('Token for {0}', plain(whom)),
    prompt: t('The job prints it when it starts. It is kept in the system’s secret store.'),
    password: true,
    ignoreFocusOut: true,
    validateInput: (value) => {
      const problem = tokenProblem(value);
      if (problem === 'empty') return t('A token is needed. The job prints it when it starts.');
      return problem === 'form' ? t('A token is 8 characters or longer, without spaces.') : undefined;
    },
  });
  return text === undefined || tokenProblem(text) !== null ? undefined : text.trim();
}

/** The first answer of a connection: that it is live, or what is wrong with it; null when nothing came in time. */
function firstOutcome({ client }: AttachedRun) {
  return new Promise<typeof client.report>((resolve) => {
    const finish = (report: typeof client.report) => {
      clearTimeout(timer);
      listening.dispose();
      resolve(report);
    };
    const timer = setTimeout(() => finish(null), OUTCOME_MS);
    const listening = client.onReport((report) => {
      if (report.state !== 'connecting') finish(report);
    });
  });
}
