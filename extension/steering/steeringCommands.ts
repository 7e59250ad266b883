import { window } from 'vscode';
import type { PanelCommand } from '../../protocol/panels/messages';
import type { SteeringRow } from '../../protocol/panels/overview';
import type { Selection } from '../../protocol/panels/selection';
import type { Subject } from '../../protocol/wire/values';
import { PAUSE_MODES, type PauseMode } from '../../protocol/wire/words';
import { count } from '../format';
import { t } from '../l10n';
import type { AttachedRun } from '../runs/runRegistry';
import { plain } from '../statusText';
import { once } from '../session/once';
import type { Teller } from '../tell';
import { askCharge, askPin, askReallocation, askRollouts, askSpan } from './allocationInputs';
import { askCondition, askFork, askPauseMode, askSteps } from './inputs';
import { askMethod } from './methodInputs';
import { request, type Own, type SteeringRequest } from './request';
import type { Steering } from './steer';
import { askPlace, askStop, askSubjects, askUndo, runSubject, whomText } from './subjects';

type Of<Id extends PanelCommand['id']> = Extract<PanelCommand, { id: Id }>;

export interface SteeringCommandDeps {
  readonly steering: Steering;
  readonly run: () => AttachedRun | null;
  readonly selection: () => Selection;
  readonly record: () => readonly SteeringRow[];
  readonly tell: Teller;
}

/**
 * The steering commands, from the palette (what they need is asked, or taken from the selection) and from a panel
 * (it names the subject). Each ends in one request, previewed and confirmed by `Steering`.
 */
export class SteeringCommands {
  constructor(private readonly deps: SteeringCommandDeps) {}

  async pause(asked: Partial<Of<'pause'>> = {}): Promise<boolean> {
    const run = this.run();
    if (!run) return false;
    const mode = PAUSE_MODES.find((one) => one === asked.mode) ?? (await askPauseMode(run.header));
    return mode !== undefined && this.send(run, pauseRequest(asked, mode, run));
  }

  async resume(asked: Partial<Of<'resume'>> = {}): Promise<boolean> {
    const run = this.run();
    const target = targetOf(asked.target, asked.subject);
    return run !== null && this.send(run, request('resume', { target }, [subjectOf(target, run)]));
  }

  /** @param ask for the number of steps; otherwise it is one. */
  async step(ask = false): Promise<boolean> {
    const run = this.run();
    if (!run) return false;
    const n = ask ? await askSteps() : 1;
    return n !== undefined && this.send(run, request('step', { n }, [runSubject(run)]));
  }

  /** Asks first what shall change: rollouts, the method, a pin or a skip. */
  async reallocate(): Promise<boolean> {
    const run = this.run();
    if (!run) return false;
    const { prompt } = this.deps.selection();
    switch (await askReallocation(run.header, prompt)) {
      case 'rollouts':
        return this.allocate();
      case 'method':
        return this.setMethod({ kind: 'allocation' });
      case 'pin': {
        const set = prompt === null ? undefined : await askPin(prompt);
        if (prompt === null || set === undefined) return false;
        return this.allocate({ subjects: [{ type: 'prompt', id: prompt }], set });
      }
      case 'skip':
        return this.skip();
      case undefined:
        return false;
    }
  }

  async allocate(asked: Partial<Of<'allocate'>> = {}): Promise<boolean> {
    const run = this.run();
    if (!run) return false;
    const subjects = asked.subjects ? [...asked.subjects] : await askSubjects(run, this.deps.selection());
    if (!subjects || subjects.length === 0) return false;
    if (asked.each) return this.allocateEach(run, subjects, [...asked.each]);
    const whom = whomText(subjects);
    const given =
      asked.set === undefined
        ? asked.add === undefined
          ? undefined
          : { add: asked.add }
        : { set: asked.set };
    const rollouts = given ?? (await askRollouts(whom));
    if (!rollouts) return false;
    const charge = 'clear' in rollouts ? 'total' : await askCharge(run.header, whom);
    return (
      charge !== undefined && this.send(run, request('allocate', { subjects, rollouts, charge }, subjects))
    );
  }

  /** A budget for each subject, for the next step or until it is undone. */
  private async allocateEach(
    run: AttachedRun,
    subjects: Own<'allocate'>['subjects'],
    each: number[],
  ): Promise<boolean> {
    const span = await askSpan(run.header, whomText(subjects));
    if (!span) return false;
    const charge = run.header.capabilities.includes('steer.allocate.fixed-total') ? 'total' : 'extra';
    return this.send(run, request('allocate', { subjects, each, charge, ...span }, subjects));
  }

  async setMethod(asked: Partial<Of<'setMethod'>> = {}): Promise<boolean> {
    const run = this.run();
    if (!run) return false;
    const known = run.header.methods.find(
      ({ kind, method }) => kind === asked.kind && method === asked.method,
    );
    const chosen = known
      ? { method: known, parameters: { ...known.parameters, ...asked.parameters } }
      : await askMethod(run.header, asked.kind);
    if (!chosen) return false;
    const kind = (['allocation', 'branching', 'credit'] as const).find((one) => one === chosen.method.kind);
    if (!kind) return false;
    const own = { kind, method: chosen.method.method, parameters: chosen.parameters };
    return this.send(run, request('setMethod', own, [runSubject(run)], plain(chosen.method.title)));
  }

  async skip(prompts: readonly string[] | null = null): Promise<boolean> {
    const run = this.run();
    const { prompt } = this.deps.selection();
    const chosen = prompts ?? (prompt === null ? [] : [prompt]);
    if (!run || chosen.length === 0) return false;
    const subjects = chosen.map((id) => ({ type: 'prompt' as const, id }));
    return this.send(run, request('skip', { prompts: [...chosen] }, subjects));
  }

  async undo(command: string | null = null): Promise<boolean> {
    const run = this.run();
    if (!run) return false;
    const rows = this.deps.record();
    const row = command === null ? await askUndo(rows) : rows.find((one) => one.command === command);
    const undoes = row?.command ?? command;
    if (undoes === null) return false;
    const subjects: Subject[] = (row?.subjects ?? []).flatMap(({ type, id }) =>
      type === 'run' || type === 'prompt' || type === 'group' || type === 'node' ? [{ type, id }] : [],
    );
    return this.send(run, request('undo', { undoes }, subjects, row ? plain(row.sentence) : undoes));
  }

  /** From the palette: at the end of the selected node, or of the selected rollout's own. */
  async fork(asked: { readonly node: string; readonly at: number } | null = null): Promise<boolean> {
    const run = this.run();
    if (!run) return false;
    const place = asked ?? (await askPlace(run, this.deps.selection()));
    if (!place) return false;
    const own = await askFork(run.header, place.node, place.at);
    return own !== undefined && this.send(run, request('fork', own, [{ type: 'node', id: place.node }]));
  }

  async stop(asked: Of<'stop'>['subject'] | null = null): Promise<boolean> {
    const run = this.run();
    const subject = asked ?? (await askStop(this.deps.selection()));
    return run !== null && subject !== undefined && this.send(run, request('stop', { subject }, [subject]));
  }

  async breakAdd(): Promise<boolean> {
    const run = this.run();
    if (!run) return false;
    const condition = await askCondition();
    return condition !== undefined && this.send(run, request('break.add', { condition }, [runSubject(run)]));
  }

  /** @param breakpoint to remove; null: they are listed. */
  async breakRemove(breakpoint: string | null = null): Promise<boolean> {
    const run = this.run();
    if (!run) return false;
    const overview = await once(run.client, 'overview', { step: null });
    const all = overview?.breakpoints ?? [];
    if (breakpoint === null && all.length === 0) {
      void window.showInformationMessage(t('This run has no breaks. Break When… adds one.'));
      return false;
    }
    const choices = all.map((one) => ({
      label: plain(one.sentence),
      description: one.hits === 1 ? t('hit once') : t('hit {0} times', count(one.hits)),
      one,
    }));
    const chosen =
      breakpoint === null
        ? (
            await window.showQuickPick(choices, {
              ignoreFocusOut: true,
              title: t('Breaks'),
              placeHolder: t('Choose one to remove it'),
            })
          )?.one
        : all.find(({ id }) => id === breakpoint);
    const id = chosen?.id ?? breakpoint;
    if (id === null) return false;
    const title = chosen ? plain(chosen.sentence) : id;
    return this.send(run, request('break.remove', { breakpoint: id }, [runSubject(run)], title));
  }

  private run(): AttachedRun | null {
    const run = this.deps.run();
    if (!run) this.deps.tell.tell('noRun', {});
    return run;
  }

  private send(run: AttachedRun, what: SteeringRequest): Promise<boolean> {
    return this.deps.steering.steer(run, what);
  }
}

type Target = Own<'pause'>['target'];

const targetOf = (type: Target['type'] = 'run', id?: string): Target =>
  id === undefined || type === 'run' ? { type: 'run' } : { type, id };

function pauseRequest(asked: Partial<Of<'pause'>>, mode: PauseMode, run: AttachedRun): SteeringRequest {
  const target = targetOf(asked.target, asked.subject);
  return request('pause', { target, mode }, [subjectOf(target, run)]);
}

const subjectOf = ({ type, id }: Target, run: AttachedRun): Subject =>
  type === 'run' || id === undefined ? runSubject(run) : { type, id };
