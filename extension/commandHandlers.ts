import { Uri, commands, env, window, workspace } from 'vscode';
import type { CommandId } from './commands';
import { t } from './l10n';
import type { LanguageChecks } from './languageChecks';
import type { Log } from './lifecycle';
import type { Look } from './look';
import type { Panels } from './panels/panels';
import { parseAddress, tunnelCommand } from './runs/address';
import type { AttachFlow } from './runs/attachFlow';
import type { DiscoveryWatcher } from './runs/discovery';
import type { ResultsFlow } from './runs/resultsFlow';
import type { RunRegistry } from './runs/runRegistry';
import type { SampleRun } from './runs/sampleRun';
import type { ShownRun } from './runs/shownRun';
import type { SelectionStore } from './selection';
import { plain } from './statusText';
import type { SteeringCommands } from './steering/steeringCommands';
import type { Teller } from './tell';
import { SORTS } from './views/promptRows';
import type { PromptsView } from './views/promptsView';
import type { RunsView } from './views/runsView';
import type { SteeringView } from './views/steeringView';
import { addressArgument, promptNode, runsNode, steeringNode } from './commandArguments';

export interface HandlerDeps {
  readonly attach: AttachFlow;
  readonly results: ResultsFlow;
  readonly registry: RunRegistry;
  readonly discovery: DiscoveryWatcher;
  readonly shown: ShownRun;
  readonly selection: SelectionStore;
  readonly sampleRun: SampleRun;
  readonly panels: Panels;
  readonly steering: SteeringCommands;
  readonly look: Look;
  readonly tell: Teller;
  readonly checks: LanguageChecks;
  readonly views: { readonly runs: RunsView; readonly prompts: PromptsView; readonly steering: SteeringView };
  readonly startSampleRun: () => Promise<void>;
  readonly showLog: () => void;
  readonly onFilter: () => void;
  readonly log: Log;
}

type Handlers = { readonly [C in CommandId]: (argument?: unknown) => unknown };

/** What every command does. Arguments come from menus, from other extensions or from nowhere: each is checked. */
export function commandHandlers(deps: HandlerDeps): Handlers {
  const { attach, registry, shown, selection, panels, steering, look, views } = deps;
  return {
    'rolloutscope.attach': (argument) => {
      const given = addressArgument(argument);
      return given ? attach.address(given.address, given.token) : attach.pick();
    },
    'rolloutscope.detach': () => detach(deps),
    'rolloutscope.openRecordedRun': (argument) =>
      attach.openRecorded(argument instanceof Uri ? argument : undefined),
    'rolloutscope.openResults': (argument) => deps.results.open(argument instanceof Uri ? [argument] : []),
    'rolloutscope.startSampleRun': () => deps.startSampleRun(),
    'rolloutscope.stopSampleRun': async () => {
      if (!(await deps.sampleRun.stop())) {
        deps.tell.tell('sampleRunNotOurs', {});
        return;
      }
      for (const { key, client } of registry.runs) {
        if (deps.sampleRun.isOurs(key.replace(/^live:/, ''))) client.rest();
      }
    },
    'rolloutscope.openOverview': () => panels.show('overview'),
    'rolloutscope.openRolloutTree': () => panels.show('rolloutTree'),
    'rolloutscope.openBudgets': () => panels.show('budgets'),
    'rolloutscope.openPassAtK': () => panels.show('passAtK'),
    'rolloutscope.pause': () => steering.pause(),
    'rolloutscope.resume': () => steering.resume(),
    'rolloutscope.runOneStep': () => steering.step(),
    'rolloutscope.allocate': () => steering.allocate(),
    'rolloutscope.setMethod': () => steering.setMethod(),
    'rolloutscope.undo': () => steering.undo(),
    'rolloutscope.fork': () => steering.fork(),
    'rolloutscope.stop': () => steering.stop(),
    'rolloutscope.skipPrompt': () => steering.skip(),
    'rolloutscope.breakWhen': () => steering.breakAdd(),
    'rolloutscope.listBreaks': () => steering.breakRemove(),
    'rolloutscope.showDecision': () => look.decisionOf(null),
    'rolloutscope.enterToken': async () => {
      const { run } = shown;
      if (run) await attach.enterToken(run);
      else deps.tell.tell('noRun', {});
    },
    'rolloutscope.showLog': () => deps.showLog(),
    'rolloutscope.retryNow': () => shown.run?.client.retryNow(),
    'rolloutscope.refreshRuns': () => deps.discovery.refresh(),
    'rolloutscope.filterPrompts': () => filterPrompts(deps),
    'rolloutscope.clearPromptFilter': () => {
      views.prompts.arrange({ filter: '' });
      deps.onFilter();
    },
    'rolloutscope.sortPrompts': () => sortPrompts(views.prompts),
    'rolloutscope.exportSteering': () => exportSteering(views.steering),
    'rolloutscope.openWalkthrough': () =>
      commands.executeCommand(
        'workbench.action.openWalkthrough',
        'rolloutscope.rolloutscope#rolloutscope.start',
        false,
      ),

    'rolloutscope.restartConfigChecks': () => deps.checks.restart(),

    'rolloutscope.attachFound': async (argument) => {
      const node = runsNode(argument);
      if (node?.kind === 'found') await attach.found(node.found);
    },
    'rolloutscope.copyTunnel': async (argument) => {
      const node = runsNode(argument);
      if (node?.kind !== 'found') return;
      const parsed = parseAddress(node.found.discovery.address);
      const text = 'problem' in parsed ? null : tunnelCommand(node.found.discovery.host, parsed.port);
      if (text !== null) await env.clipboard.writeText(text);
    },
    'rolloutscope.selectRun': (argument) => {
      const node = runsNode(argument);
      if (node?.kind === 'run') selection.select({ run: node.key });
    },
    'rolloutscope.selectStep': (argument) => {
      const node = runsNode(argument);
      if (node?.kind !== 'step') return;
      const { step, open, incarnation } = node.row;
      // The step that runs is followed: when the next one opens, that is shown.
      selection.select({ run: node.key, incarnation: open ? null : incarnation, step: open ? null : step });
    },
    'rolloutscope.selectPrompt': (argument) => {
      const node = promptNode(argument);
      if (node) look.prompt(node.prompt, node.group, false);
    },
    'rolloutscope.olderSteps': (argument) => {
      const node = runsNode(argument);
      if (node?.kind === 'older') views.runs.showOlder(node.key);
    },
    'rolloutscope.morePrompts': () => views.prompts.showMore(),
    'rolloutscope.runOverview': (argument) => onRun(deps, argument, () => panels.show('overview')),
    'rolloutscope.runPause': (argument) => onRun(deps, argument, () => steering.pause()),
    'rolloutscope.runResume': (argument) => onRun(deps, argument, () => steering.resume()),
    'rolloutscope.runDetach': (argument) => {
      const node = runsNode(argument);
      if (node?.kind === 'run') registry.detach(node.key);
    },
    'rolloutscope.promptTree': (argument) => {
      const node = promptNode(argument);
      if (node) look.prompt(node.prompt, node.group, true);
    },
    'rolloutscope.promptGive': (argument) => {
      const node = promptNode(argument);
      return node && steering.allocate({ subjects: [{ type: 'prompt', id: node.prompt }] });
    },
    'rolloutscope.promptSkip': (argument) => {
      const node = promptNode(argument);
      return node && steering.skip([node.prompt]);
    },
    'rolloutscope.promptDecision': (argument) => {
      const node = promptNode(argument);
      return node && look.decisionOf(node.prompt);
    },
    'rolloutscope.steeringUndo': (argument) => {
      const row = steeringNode(argument);
      return row && steering.undo(row.command);
    },
    'rolloutscope.steeringDetails': (argument) => {
      const row = steeringNode(argument);
      return row && look.record(row);
    },
  };
}

/** A command of a run's row acts on that run: it is shown first, so that what is done is seen. */
function onRun({ selection }: HandlerDeps, argument: unknown, act: () => unknown): unknown {
  const node = runsNode(argument);
  if (node?.kind !== 'run') return undefined;
  selection.select({ run: node.key });
  return act();
}

async function detach({ registry, shown }: HandlerDeps): Promise<void> {
  const { runs } = registry;
  if (runs.length <= 1) {
    if (runs[0]) registry.detach(runs[0].key);
    return;
  }
  const choices = runs.map(({ key, name, where }) => ({
    label: plain(name),
    description: key === shown.run?.key ? t('shown') : '',
    detail: where,
    key,
  }));
  const chosen = await window.showQuickPick(choices, {
    title: t('Detach'),
    placeHolder: t('The job goes on without us.'),
  });
  if (chosen) registry.detach(chosen.key);
}

async function filterPrompts({ views, onFilter }: HandlerDeps): Promise<void> {
  const text = await window.showInputBox({
    title: t('Filter Prompts'),
    prompt: t('A part of the id, or conditions such as n > 16 and rate < .2'),
    value: views.prompts.filter,
  });
  if (text === undefined) return;
  views.prompts.arrange({ filter: text.trim() });
  onFilter();
}

async function sortPrompts(prompts: PromptsView): Promise<void> {
  const sorts = Object.keys(SORTS) as (keyof typeof SORTS)[];
  const choices = sorts.map((sort) => ({
    label: SORTS[sort](),
    description: sort === prompts.sort ? t('now') : '',
    sort,
  }));
  const chosen = await window.showQuickPick(choices, { title: t('Sort Prompts') });
  if (chosen) prompts.arrange({ sort: chosen.sort });
}

async function exportSteering(view: SteeringView): Promise<void> {
  const target = await window.showSaveDialog({
    title: t('Export Steering Record'),
    filters: { JSON: ['json'] },
    saveLabel: t('Export'),
  });
  if (!target) return;
  const text = `${JSON.stringify([...view.rows].reverse(), null, 2)}\n`;
  await workspace.fs.writeFile(target, Buffer.from(text, 'utf8'));
}
