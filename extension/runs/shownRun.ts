import { NO_SELECTION, type RunHeader, type RunKey, type RunName } from '../../protocol/panels/selection';
import { DisposableStore, Emitter, type Disposable } from '../lifecycle';
import type { SelectionStore } from '../selection';
import type { AttachedRun, RunRegistry } from './runRegistry';

/** The run that panels and views show: the selected one, as long as it is open. */
export class ShownRun implements Disposable {
  private readonly parts = new DisposableStore();
  private readonly switches = new Emitter<AttachedRun | null>();
  private readonly headers = new Emitter<RunHeader | null>();
  private readonly names = new Emitter<null>();
  private key: string | null = null;
  private named = '';
  /** Another run is shown, or none. */
  readonly onDidSwitch = this.switches.event;
  /** The header of the shown run changed; also told after a switch. */
  readonly onDidChangeHeader = this.headers.event;
  /** Runs were opened or left, or one has another name: a recorded one tells its own when it has been read. */
  readonly onDidChangeRuns = this.names.event;

  constructor(
    private readonly registry: RunRegistry,
    private readonly selection: SelectionStore,
  ) {
    this.parts.add(selection.onDidChange(() => this.follow()));
    this.parts.add(
      registry.onDidChangeList(() => {
        this.keepOne();
        this.tellNames();
      }),
    );
    this.parts.add(
      registry.onDidUpdate((key) => {
        if (key === this.key) this.headers.fire(this.header);
        this.tellNames();
      }),
    );
  }

  get run(): AttachedRun | null {
    return this.registry.get(this.key);
  }

  /** An open run, whether it is the shown one or not. */
  open(key: RunKey): AttachedRun | null {
    return this.registry.get(key);
  }

  get runs(): readonly RunName[] {
    return this.registry.runs.map(({ key, header }) => ({ key, name: header.name }));
  }

  get header(): RunHeader | null {
    return this.run?.header ?? null;
  }

  dispose(): void {
    this.parts.dispose();
    this.switches.dispose();
    this.headers.dispose();
    this.names.dispose();
  }

  private tellNames(): void {
    const named = JSON.stringify(this.runs);
    if (named === this.named) return;
    this.named = named;
    this.names.fire(null);
  }

  /** While any run is open, one is shown. */
  private keepOne(): void {
    const { run } = this.selection.value;
    if (run !== null && this.registry.get(run)) return;
    const next = this.registry.runs.at(-1)?.key ?? null;
    this.selection.select(next === null ? NO_SELECTION : { run: next });
    this.follow();
  }

  private follow(): void {
    const { run } = this.selection.value;
    const key = run !== null && this.registry.get(run) ? run : null;
    if (key === this.key) return;
    this.key = key;
    this.switches.fire(this.run);
    this.headers.fire(this.header);
  }
}
