import type { PanelProtocol } from '../../protocol/panels/messages';
import type { SteeringRow } from '../../protocol/panels/overview';
import type { Subject } from '../../protocol/wire/values';
import { Emitter, type Disposable } from '../lifecycle';

type PendingSubjects = PanelProtocol['toPanel']['events']['pending']['subjects'];

/** So long the mark stays on what the job may have taken without saying so. */
const DOUBT_MS = 60_000;

interface Pending {
  readonly command: string;
  readonly action: string;
  readonly subjects: readonly Subject[];
}

/**
 * Requests that were sent and that the job has not yet answered by an event. Their effect is drawn by that event
 * only; until then the thing they are about carries the turning mark.
 */
export class PendingCommands implements Disposable {
  private readonly pending = new Map<string, Pending>();
  private readonly doubts = new Map<string, NodeJS.Timeout>();
  private readonly changes = new Emitter<PendingSubjects>();
  readonly onDidChange = this.changes.event;

  get subjects(): PendingSubjects {
    return [...this.pending.values()].flatMap(({ action, subjects }) =>
      subjects.map((one) => ({ ...one, action })),
    );
  }

  add(command: string, action: string, subjects: readonly Subject[]): void {
    this.pending.set(command, { command, action, subjects });
    this.tell();
  }

  /** The request was refused, or it never reached the job. */
  remove(command: string): void {
    this.trust(command);
    if (this.pending.delete(command)) this.tell();
  }

  /** It was sent, but no answer came: without a word of it in the record the mark goes after a minute. */
  doubt(command: string): void {
    if (!this.pending.has(command)) return;
    this.trust(command);
    this.doubts.set(
      command,
      setTimeout(() => this.remove(command), DOUBT_MS),
    );
  }

  /** The record as the job's events made it: whatever stands there as done or refused is not pending. */
  settle(rows: readonly SteeringRow[]): void {
    let any = false;
    for (const { command, state } of rows) {
      this.trust(command);
      if (state !== 'requested' && this.pending.delete(command)) any = true;
    }
    if (any) this.tell();
  }

  /** Another run is shown, or its job restarted: nobody will answer what was asked of the old one. */
  clear(): void {
    if (this.pending.size === 0) return;
    for (const command of [...this.doubts.keys()]) this.trust(command);
    this.pending.clear();
    this.tell();
  }

  dispose(): void {
    for (const command of [...this.doubts.keys()]) this.trust(command);
    this.changes.dispose();
  }

  private trust(command: string): void {
    clearTimeout(this.doubts.get(command));
    this.doubts.delete(command);
  }

  private tell(): void {
    this.changes.fire(this.subjects);
  }
}
