import { Uri, commands, env, window, workspace } from 'vscode';
import { allocationMethods } from '../../methods/allocation/methods';
import { branchingMethods } from '../../methods/branching/methods';
import { sourceLinks } from '../../methods/sourceLinks';
import type { PanelCommand, PanelName } from '../../protocol/panels/messages';
import type { CommandId } from '../commands';
import { t } from '../l10n';
import type { Look } from '../look';
import type { SteeringCommands } from '../steering/steeringCommands';

export interface PanelCommandDeps {
  readonly root: Uri;
  readonly steering: SteeringCommands;
  readonly look: Look;
  readonly open: (panel: PanelName) => void;
  readonly exists: (file: Uri) => Promise<boolean>;
}

const run = async (command: CommandId): Promise<boolean> => {
  await commands.executeCommand(command);
  return true;
};

/** What a panel may ask for, checked before it comes here; false when a person cancelled it. */
export function panelCommand(deps: PanelCommandDeps, command: PanelCommand): Promise<boolean> {
  const { steering, look } = deps;
  switch (command.id) {
    case 'pause':
      return steering.pause(command);
    case 'resume':
      return steering.resume(command);
    case 'step':
      return steering.step();
    case 'reallocate':
      return steering.reallocate();
    case 'allocate':
      return steering.allocate(command);
    case 'setMethod':
      return steering.setMethod(command);
    case 'skip':
      return steering.skip(command.prompts);
    case 'undo':
      return steering.undo(command.command);
    case 'fork':
      return steering.fork(command);
    case 'stop':
      return steering.stop(command.subject);
    case 'breakAdd':
      return steering.breakAdd();
    case 'breakRemove':
      return steering.breakRemove(command.breakpoint);
    case 'open':
      deps.open(command.panel);
      return Promise.resolve(true);
    case 'showDecision':
      return look.decision(command.decision, command.subject);
    case 'showEvents':
      return look.events(command.subjectType, command.subject);
    case 'attach':
      return run('rolloutscope.attach');
    case 'retryNow':
      return run('rolloutscope.retryNow');
    case 'enterToken':
      return run('rolloutscope.enterToken');
    case 'startSampleRun':
      return run('rolloutscope.startSampleRun');
    case 'copy':
      return copy(command.text);
    case 'save':
      return save(command.name, Buffer.from(command.text, command.encoding ?? 'utf8'));
    case 'openSource':
      return openSource(command.method, command.part);
    case 'openDocs':
      return openDocs(deps, command.page);
  }
}

async function copy(text: string): Promise<boolean> {
  await env.clipboard.writeText(text);
  return true;
}

async function save(name: string, content: Buffer): Promise<boolean> {
  const folder = workspace.workspaceFolders?.[0]?.uri;
  const target = await window.showSaveDialog({
    title: t('Save'),
    ...(folder ? { defaultUri: Uri.joinPath(folder, name) } : {}),
  });
  if (!target) return false;
  await workspace.fs.writeFile(target, content);
  return true;
}

/** A page names a method of ours; what is opened stands in its description, never in the page. */
async function openSource(id: string, part: 'paper' | 'code'): Promise<boolean> {
  const method = [...allocationMethods, ...branchingMethods].find((each) => each.id === id);
  const link = method ? sourceLinks(method.source)[part] : null;
  return link !== null && (await env.openExternal(Uri.parse(link, true)));
}

/** Pages of help ship with the extension; in place of one that this version lacks the walkthrough opens. */
async function openDocs({ root, exists }: PanelCommandDeps, page: string): Promise<boolean> {
  const [name = ''] = page.split('#');
  const file = Uri.joinPath(root, 'media', 'help', `${name}.md`);
  if (await exists(file)) {
    await commands.executeCommand('markdown.showPreview', file);
    return true;
  }
  return run('rolloutscope.openWalkthrough');
}
