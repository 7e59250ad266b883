import type { FindingRow } from '../../protocol/panels/overview';
import type { PanelCommand } from '../../protocol/panels/messages';

type Lever = NonNullable<FindingRow['levers']>[number];
type Subject = { readonly type: string; readonly id: string };

const texts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
const number = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;
const oneOf = <T extends string>(words: readonly T[], value: unknown): T | undefined =>
  words.find((word) => word === value);
const subjectsOf = (value: unknown): readonly Subject[] =>
  Array.isArray(value)
    ? value.flatMap((each: unknown) =>
        typeof each === 'object' &&
        each !== null &&
        'type' in each &&
        'id' in each &&
        typeof each.type === 'string' &&
        typeof each.id === 'string'
          ? [{ type: each.type, id: each.id }]
          : [],
      )
    : [];

const ALLOCATED = ['run', 'prompt', 'group', 'node'] as const;
const STOPPED = ['node', 'rollout', 'group', 'prompt'] as const;
const LATCHES = ['run', 'prompt', 'node'] as const;

const typed = <T extends string>(
  types: readonly T[],
  subjects: readonly Subject[],
): { type: T; id: string }[] =>
  subjects.flatMap(({ type, id }) => {
    const known = oneOf(types, type);
    return known === undefined ? [] : [{ type: known, id }];
  });

/** Capability of the job that an action needs. */
export const CAPABILITY_OF: Readonly<Record<Lever['action'], string | undefined>> = {
  pause: 'steer.pause.step-boundary',
  resume: undefined,
  step: 'steer.step',
  allocate: 'steer.allocate.prompt',
  setMethod: 'steer.method',
  skip: 'steer.skip',
  undo: 'steer.undo',
  fork: 'steer.fork',
  stop: 'steer.stop',
  break: 'steer.break',
};

/**
 * The command behind a lever of a finding. What the lever does not name is taken from the finding's subjects.
 * null: too little is named to ask for it.
 */
export const leverCommand = (lever: Lever, finding: FindingRow): PanelCommand | null => {
  const params = lever.params ?? {};
  const named = subjectsOf(params['subjects']);
  const subjects = named.length > 0 ? named : (finding.subjects ?? []);
  switch (lever.action) {
    case 'pause': {
      const [latch] = typed(LATCHES, subjectsOf([params['target']]));
      const mode = params['mode'];
      return {
        id: 'pause',
        target: latch?.type ?? 'run',
        ...(latch && latch.type !== 'run' ? { subject: latch.id } : {}),
        ...(typeof mode === 'string' ? { mode } : {}),
      };
    }
    case 'resume':
      return { id: 'resume', target: 'run' };
    case 'step':
      return { id: 'step' };
    case 'allocate': {
      const allocated = typed(ALLOCATED, subjects);
      if (allocated.length === 0) return null;
      const add = number(params['add']);
      const set = number(params['set']);
      return {
        id: 'allocate',
        subjects: allocated,
        ...(add === undefined ? {} : { add }),
        ...(set === undefined ? {} : { set }),
      };
    }
    case 'setMethod': {
      const method = params['method'];
      return {
        id: 'setMethod',
        kind: oneOf(['allocation', 'branching', 'credit'] as const, params['kind']) ?? 'allocation',
        ...(typeof method === 'string' ? { method } : {}),
      };
    }
    case 'skip': {
      const prompts = texts(params['prompts']);
      const all = prompts.length > 0 ? prompts : typed(['prompt'] as const, subjects).map(({ id }) => id);
      return all.length === 0 ? null : { id: 'skip', prompts: all };
    }
    case 'undo': {
      const command = params['undoes'];
      return typeof command === 'string' ? { id: 'undo', command } : null;
    }
    case 'fork': {
      const node = params['node'];
      const at = number(params['at']);
      return typeof node === 'string' && at !== undefined ? { id: 'fork', node, at } : null;
    }
    case 'stop': {
      const [subject] = typed(STOPPED, subjects);
      return subject ? { id: 'stop', subject } : null;
    }
    case 'break':
      return { id: 'breakAdd' };
  }
};
