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
import type { Teller } from '../tell';
import { canUndo } from '../views/steeringRows';
import { askCharge, askCondition, askFork, askMethod, askPauseMode, askRollouts, askSteps } from './inputs';
import { request, type Own, type SteeringRequest } from './request';
import type { Steering } from './steer';
import { noun } from './wording';

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

  async allocate(asked: Partial<Of<'allocate'>> = {}): Promise<boolean> {
    const run = this.run();
    if (!run) return false;
    const subjects = asked.subjects ? [...asked.subjects] : await this.askSubjects(run);
    if (!subjects || subjects.length === 0) return false;
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

  async setMethod(asked: Partial<Of<'setMethod'>> = {}): Promise<boolean> {
    const run = this.run();
    if (!run) return false;
    const known = run.header.methods.find(
      ({ kind, method }) => kind === asked.kind && method === asked.method,
    );
    const chosen = known
      ? { method: known, parameters: { ...known.parameters } }
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
    const place = asked ?? (await this.selectedPlace(run));
    if (!place) return false;
    const own = await askFork(run.header, place.node, place.at);
    return own !== undefined && this.send(run, request('fork', own, [{ type: 'node', id: place.node }]));
  }

  async stop(asked: Of<'stop'>['subject'] | null = null): Promise<boolean> {
    const run = this.run();
    const subject = asked ?? (await this.askStop());
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
    const overview = await once(run, 'overview', { step: null });
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

  private async askSubjects(run: AttachedRun): Promise<Own<'allocate'>['subjects'] | undefined> {
    const { prompt, group, node } = this.deps.selection();
    const can = (what: string) => run.header.capabilities.includes(`steer.allocate.${what}`);
    const offers: readonly {
      readonly type: 'prompt' | 'group' | 'node' | 'run';
      readonly id: string | null;
    }[] = [
      { type: 'prompt', id: prompt },
      { type: 'group', id: group },
      { type: 'node', id: node },
      { type: 'run', id: runSubject(run).id },
    ];
    const choices = offers.flatMap(({ type, id }) =>
      id === null || !can(type)
        ? []
        : [
            {
              label: type === 'run' ? t('Every prompt') : `${noun(type, 1)} ${plain(id)}`,
              subject: { type, id },
            },
          ],
    );
    if (choices.length === 0) {
      void window.showInformationMessage(t('Choose a prompt in the Prompts view first.'));
      return undefined;
    }
    if (choices.length === 1) return [choices[0]!.subject];
    const chosen = await window.showQuickPick(choices, {
      title: t('Re-allocate'),
      placeHolder: t('Whose budget?'),
    });
    return chosen && [chosen.subject];
  }

  private async askStop(): Promise<Of<'stop'>['subject'] | undefined> {
    const { prompt, group, rollout, node } = this.deps.selection();
    const offers = [
      { type: 'node' as const, id: node },
      { type: 'rollout' as const, id: rollout },
      { type: 'group' as const, id: group },
      { type: 'prompt' as const, id: prompt },
    ];
    const choices = offers.flatMap(({ type, id }) =>
      id === null ? [] : [{ label: `${noun(type, 1)} ${plain(id)}`, subject: { type, id } }],
    );
    if (choices.length <= 1) return choices[0]?.subject;
    const chosen = await window.showQuickPick(choices, {
      title: t('Stop'),
      placeHolder: t('What is stopped? Whatever still runs in it ends.'),
    });
    return chosen?.subject;
  }

  private async selectedPlace(run: AttachedRun): Promise<{ node: string; at: number } | null> {
    const { node, rollout, group, prompt, step } = this.deps.selection();
    const tree = await once(run, 'tree', { group, prompt, step, rule: null });
    const index = tree ? placeOf(tree.nodes.id, tree.nodes.rollout, tree.rollouts.id, node, rollout) : -1;
    if (!tree || index < 0) {
      void window.showInformationMessage(t('Choose a node in the rollout tree first.'));
      return null;
    }
    const length = tree.nodes.length[index]!;
    const text = await window.showInputBox({
      title: t('Fork Here'),
      prompt: t('Position in node {0}, from 0 to {1}.', plain(tree.nodes.id[index]!), length),
      value: String(length),
      validateInput: (value) =>
        /^\d{1,9}$/.test(value) && Number(value) <= length
          ? undefined
          : t('A whole number from {0} to {1}.', 0, length),
    });
    return text === undefined ? null : { node: tree.nodes.id[index]!, at: Number(text) };
  }
}

/** The selected node, else the last own node of the selected rollout; −1: neither is in the tree. */
function placeOf(
  nodes: readonly string[],
  owners: Int32Array,
  rollouts: readonly string[],
  node: string | null,
  rollout: string | null,
): number {
  if (node !== null) return nodes.indexOf(node);
  return rollout === null ? -1 : owners.lastIndexOf(rollouts.indexOf(rollout));
}

const ANSWER_MS = 5_000;

/** The present state of a view, once; null when there is nothing to show or no answer in time. */
export function once<V extends 'overview' | 'tree'>(
  run: AttachedRun,
  view: V,
  params: Parameters<typeof run.client.subscribe<V>>[1],
): Promise<Parameters<Parameters<typeof run.client.subscribe<V>>[2]>[0]> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      subscription.dispose();
      resolve(null);
    }, ANSWER_MS);
    const subscription = run.client.subscribe(view, params, (data) => {
      clearTimeout(timer);
      setImmediate(() => subscription.dispose());
      resolve(data);
    });
  });
}

type Target = Own<'pause'>['target'];

const targetOf = (type: Target['type'] = 'run', id?: string): Target =>
  id === undefined || type === 'run' ? { type: 'run' } : { type, id };

function pauseRequest(asked: Partial<Of<'pause'>>, mode: PauseMode, run: AttachedRun): SteeringRequest {
  const target = targetOf(asked.target, asked.subject);
  return request('pause', { target, mode }, [subjectOf(target, run)]);
}

const runSubject = (run: AttachedRun): Subject => ({
  type: 'run',
  id: run.client.report?.info?.run.id ?? run.key.replace(/^live:/, ''),
});

const subjectOf = ({ type, id }: Target, run: AttachedRun): Subject =>
  type === 'run' || id === undefined ? runSubject(run) : { type, id };

const whomText = (subjects: Own<'allocate'>['subjects']): string => {
  const first = subjects[0]!;
  if (first.type === 'run') return t('every prompt');
  return subjects.length === 1
    ? `${noun(first.type, 1)} ${first.id}`
    : `${count(subjects.length)} ${noun(first.type, 2)}`;
};

async function askUndo(rows: readonly SteeringRow[]): Promise<SteeringRow | undefined> {
  const choices = rows
    .filter(canUndo)
    .map((row) => ({ label: plain(row.sentence), description: plain(row.author), row }));
  if (choices.length === 0) {
    void window.showInformationMessage(t('Nothing in the steering record can be undone.'));
    return undefined;
  }
  const chosen = await window.showQuickPick(choices, {
    title: t('Undo Steering'),
    placeHolder: t('What is taken back?'),
  });
  return chosen?.row;
}
