/** A command as the manifest declares it. `palette` false: it needs an argument that only a view gives. */
export interface CommandEntry {
  readonly title: string;
  readonly enablement?: string;
  readonly icon?: string;
  readonly palette: boolean;
}

const always = (title: string, icon?: string): CommandEntry => ({
  title,
  palette: true,
  ...(icon === undefined ? {} : { icon }),
});
const when = (title: string, enablement: string, icon?: string): CommandEntry => ({
  ...always(title, icon),
  enablement,
});
const inView = (title: string, icon?: string): CommandEntry => ({ ...always(title, icon), palette: false });

/** The one table of commands; a test holds it against package.json and package.nls.json. */
export const COMMANDS = {
  'rolloutscope.attach': always('Attach…', '$(plug)'),
  'rolloutscope.detach': when('Detach', 'rolloutscope.attached', '$(debug-disconnect)'),
  'rolloutscope.openRecordedRun': always('Open Recorded Run…', '$(folder-opened)'),
  'rolloutscope.openResults': always('Open Evaluation Results…', '$(graph-line)'),
  'rolloutscope.startSampleRun': when('Start Sample Run', '!rolloutscope.sampleRunning', '$(beaker)'),
  'rolloutscope.stopSampleRun': when('Stop Sample Run', 'rolloutscope.sampleRunning', '$(beaker-stop)'),
  'rolloutscope.openOverview': when('Open Overview', 'rolloutscope.attached', '$(pulse)'),
  'rolloutscope.openRolloutTree': when('Open Rollout Tree', 'rolloutscope.attached', '$(type-hierarchy)'),
  'rolloutscope.openBudgets': when('Open Budgets', 'rolloutscope.attached', '$(pie-chart)'),
  'rolloutscope.openPassAtK': when('Open pass@k', 'rolloutscope.attached', '$(graph-line)'),
  'rolloutscope.pause': when('Pause…', 'rolloutscope.can.pause && !rolloutscope.paused', '$(debug-pause)'),
  'rolloutscope.resume': when('Resume', 'rolloutscope.can.pause && rolloutscope.paused', '$(debug-continue)'),
  'rolloutscope.runOneStep': when('Run One Step', 'rolloutscope.can.step', '$(debug-step-over)'),
  'rolloutscope.allocate': when('Re-allocate…', 'rolloutscope.can.allocate', '$(add)'),
  'rolloutscope.setMethod': when('Change Method…', 'rolloutscope.can.setMethod'),
  'rolloutscope.undo': when('Undo Steering', 'rolloutscope.can.undo', '$(discard)'),
  'rolloutscope.fork': when(
    'Fork Here…',
    'rolloutscope.can.fork && (rolloutscope.selection.node || rolloutscope.selection.rollout)',
    '$(repo-forked)',
  ),
  'rolloutscope.stop': when(
    'Stop…',
    'rolloutscope.can.stop && (rolloutscope.selection.node || rolloutscope.selection.rollout || rolloutscope.selection.group || rolloutscope.selection.prompt)',
    '$(debug-stop)',
  ),
  'rolloutscope.skipPrompt': when(
    'Skip Prompt…',
    'rolloutscope.can.skip && rolloutscope.selection.prompt',
    '$(debug-step-over)',
  ),
  'rolloutscope.breakWhen': when('Break When…', 'rolloutscope.can.break', '$(debug-breakpoint-conditional)'),
  'rolloutscope.listBreaks': when('List Breaks…', 'rolloutscope.can.break'),
  'rolloutscope.showDecision': when(
    'Show Decision',
    'rolloutscope.attached && rolloutscope.selection.prompt',
    '$(question)',
  ),
  'rolloutscope.enterToken': when('Enter Token…', 'rolloutscope.attached', '$(key)'),
  'rolloutscope.showLog': always('Show Log', '$(output)'),
  'rolloutscope.retryNow': when('Connect Again Now', 'rolloutscope.lost', '$(refresh)'),
  'rolloutscope.refreshRuns': always('Look for Runs Again', '$(refresh)'),
  'rolloutscope.filterPrompts': when('Filter Prompts…', 'rolloutscope.attached', '$(filter)'),
  'rolloutscope.clearPromptFilter': when(
    'Clear Prompt Filter',
    'rolloutscope.promptsFiltered',
    '$(clear-all)',
  ),
  'rolloutscope.sortPrompts': when('Sort Prompts…', 'rolloutscope.attached', '$(list-filter)'),
  'rolloutscope.exportSteering': when('Export Steering Record…', 'rolloutscope.attached', '$(export)'),
  'rolloutscope.openWalkthrough': always('Open Walkthrough'),
  'rolloutscope.restartConfigChecks': always('Restart Config Checks'),

  'rolloutscope.attachFound': inView('Attach', '$(plug)'),
  'rolloutscope.copyTunnel': inView('Copy SSH Tunnel Command', '$(copy)'),
  'rolloutscope.selectRun': inView('Show This Run'),
  'rolloutscope.selectStep': inView('Show This Step'),
  'rolloutscope.selectPrompt': inView('Show This Prompt'),
  'rolloutscope.olderSteps': inView('Show Older Steps'),
  'rolloutscope.morePrompts': inView('Show More Prompts'),
  'rolloutscope.runOverview': inView('Open Overview', '$(pulse)'),
  'rolloutscope.runPause': inView('Pause…', '$(debug-pause)'),
  'rolloutscope.runResume': inView('Resume', '$(debug-continue)'),
  'rolloutscope.runDetach': inView('Detach', '$(debug-disconnect)'),
  'rolloutscope.promptTree': inView('Open Rollout Tree', '$(type-hierarchy)'),
  'rolloutscope.promptGive': inView('Give More Rollouts…', '$(add)'),
  'rolloutscope.promptSkip': inView('Skip Prompt…', '$(debug-step-over)'),
  'rolloutscope.promptDecision': inView('Show Decision', '$(question)'),
  'rolloutscope.steeringUndo': inView('Undo Steering', '$(discard)'),
  'rolloutscope.steeringDetails': inView('Show Record Entry'),
} as const satisfies Record<string, CommandEntry>;

export type CommandId = keyof typeof COMMANDS;
export const COMMAND_IDS = Object.keys(COMMANDS) as CommandId[];
