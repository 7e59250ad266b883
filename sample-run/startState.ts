import type { Clock } from './clock';
import type { CommandLine } from './commandLine';
import { readCheckpoint, type Checkpoint } from './job/checkpoint';
import { freshControl, METHOD_KINDS, type ControlState } from './job/controlState';
import { checkChoice } from './job/methodTable';
import { DEFAULT_SETTINGS } from './job/settings';
import type { PolicyShape } from './policy/policyParameters';
import { reasonOf, StartError, type RunFolder, type SavedRun } from './runFolder';
import { randomBytes } from 'node:crypto';

export async function loadCheckpoint(folder: RunFolder, shape: PolicyShape): Promise<Checkpoint | null> {
  const path = folder.file('checkpoint.bin');
  let checkpoint: Checkpoint | null;
  try {
    checkpoint = await readCheckpoint(path);
  } catch (error) {
    throw new StartError(
      `${path} cannot be used (${reasonOf(error)}). Move it away to begin the run anew, or give another folder with --dir.`,
    );
  }
  if (checkpoint && JSON.stringify(checkpoint.trainer.parameters.shape) !== JSON.stringify(shape)) {
    throw new StartError(
      `${path} is of another policy than this version ships. Move it away to begin the run anew, or give another folder with --dir.`,
    );
  }
  return checkpoint;
}

/** What the run is started with: flags before what the folder remembers before the defaults. */
export function settle(options: CommandLine, before: SavedRun | null, clock: Clock): SavedRun {
  if (before && options.seed !== undefined && options.seed !== before.seed) {
    throw new StartError(
      `The run in this folder was begun with seed ${before.seed}; it cannot go on with ${options.seed}. Leave --seed out, or give another folder with --dir.`,
    );
  }
  const d = DEFAULT_SETTINGS;
  const choice = (given: string | undefined, saved: SavedRun['allocation'] | undefined, fallback: string) => {
    if (given !== undefined && given !== saved?.method) return { method: given, parameters: {} };
    return saved ?? { method: fallback, parameters: {} };
  };
  const run: SavedRun = {
    version: 1,
    id: before?.id ?? `sample-${randomBytes(4).toString('hex')}`,
    name: options.name ?? before?.name ?? 'Sample run',
    startedAt: before?.startedAt ?? clock.unix(),
    starts: (before?.starts ?? 0) + 1,
    port: before?.port ?? 0,
    seed: options.seed ?? before?.seed ?? d.seed,
    steps: options.steps ?? before?.steps ?? d.steps,
    pace: options.pace ?? before?.pace ?? d.pace,
    promptsPerStep: options.promptsPerStep ?? before?.promptsPerStep ?? d.promptsPerStep,
    groupSize: options.groupSize ?? before?.groupSize ?? d.groupSize,
    allocation: choice(options.allocation, before?.allocation, d.allocation.method),
    branching: choice(options.branching, before?.branching, d.branching.method),
    credit: choice(options.credit, before?.credit, d.credit.method),
  };
  for (const kind of METHOD_KINDS) {
    try {
      checkChoice(kind, run[kind], run);
    } catch (error) {
      throw new StartError(`--${kind}: ${reasonOf(error)}`);
    }
  }
  return run;
}

/** What people decided in earlier starts; a method that is given as a flag comes before theirs. */
export async function settleControl(
  folder: RunFolder,
  options: CommandLine,
  run: SavedRun,
): Promise<ControlState> {
  const { allocation, branching, credit } = run;
  const control = (await folder.readControl()) ?? freshControl({ allocation, branching, credit });
  for (const kind of METHOD_KINDS) if (options[kind] !== undefined) control.methods[kind] = run[kind];
  return control;
}
