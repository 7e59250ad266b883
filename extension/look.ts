import type { SteeringRow } from '../protocol/panels/overview';
import type { PanelName } from '../protocol/panels/messages';
import { decisionText } from './decisionText';
import type { Documents } from './documents';
import { t } from './l10n';
import type { AttachedRun } from './runs/runRegistry';
import type { SelectionStore } from './selection';
import { once } from './session/once';
import type { Teller } from './tell';

const MAX_LINES = 2_000;

export interface LookDeps {
  readonly run: () => AttachedRun | null;
  readonly selection: SelectionStore;
  readonly documents: Documents;
  readonly open: (panel: PanelName) => void;
  readonly tell: Teller;
}

/** Commands that look something up and show it. */
export class Look {
  constructor(private readonly deps: LookDeps) {}

  /** The decision by its id, for one of its subjects. */
  async decision(decision: string, subject: string | null): Promise<boolean> {
    const run = this.deps.run();
    const view = run ? await run.client.query('decision', { decision, subject }) : null;
    if (!view) {
      this.deps.tell.tell('noEvents', { where: decision });
      return false;
    }
    await this.deps.documents.show(t('Decision {0}', decision), decisionText(view));
    return true;
  }

  /** The decision that planned the group of a prompt in the shown step. */
  async decisionOf(prompt: string | null): Promise<boolean> {
    const run = this.deps.run();
    const { prompt: selected, step } = this.deps.selection.value;
    const about = prompt ?? selected;
    if (!run || about === null) return false;
    const tree = await once(run.client, 'tree', { group: null, prompt: about, step, rule: null });
    if (!tree || tree.decision === null) {
      this.deps.tell.tell('noEvents', { where: about });
      return false;
    }
    return this.decision(tree.decision, about);
  }

  async events(subjectType: string, id: string): Promise<boolean> {
    const run = this.deps.run();
    const answer = run ? await run.client.query('events', { subjectType, id, limit: MAX_LINES }) : null;
    if (!answer || answer.lines.length === 0) {
      this.deps.tell.tell('noEvents', { where: id });
      return false;
    }
    await this.deps.documents.show(t('Events of {0}', id), `${answer.lines.join('\n')}\n`);
    return true;
  }

  /** An entry of the steering record, with what it changed. */
  async record(row: SteeringRow): Promise<boolean> {
    await this.deps.documents.show(t('Steering {0}', row.command), `${JSON.stringify(row, null, 2)}\n`);
    return true;
  }

  /** Chooses a prompt, with its group, and shows its tree when asked. */
  prompt(prompt: string, group: string | null, openTree: boolean): void {
    this.deps.selection.select({ prompt, ...(group === null ? {} : { group }) });
    if (openTree) this.deps.open('rolloutTree');
  }
}
