import { count } from '../shared/format';
import { command } from '../shared/host';
import { whyNotSteer } from '../shared/steering';
import { endingOf } from './status';
import { text } from './texts';
import { partAt, pathOf, type TreeModel } from './treeModel';
import type { Caret } from './treeState';

/** A steering button: what it would do, why it cannot be pressed, what it asks the host for. */
export interface Action {
  readonly title: string;
  readonly off: string | null;
  readonly run: () => void;
}

const idOf = ({ view }: TreeModel, rollout: number): string => view.rollouts.id[rollout] ?? '';

/** Fork at the chosen token: the children take the path up to it and sample that token anew. */
export const forkAction = (model: TreeModel, rollout: number, at: Caret | null): Action => {
  const why = whyNotSteer('steer.fork');
  const id = idOf(model, rollout);
  const here = at !== null && rollout >= 0 && at.rollout === id ? at.position : null;
  const part = here === null ? null : partAt(pathOf(model, rollout), here);
  const node = part === null ? undefined : model.view.nodes.id[part.node];
  const off =
    why ??
    (rollout < 0 ? text('forkNoRollout') : null) ??
    (node === undefined ? text('forkNoToken', { rollout: id }) : null);
  return {
    title: here === null ? text('forkHere') : text('forkTitle', { rollout: id, position: count(here) }),
    off,
    run: () => {
      if (part && node !== undefined && here !== null) {
        void command({ id: 'fork', node, at: Math.max(0, here - part.from) });
      }
    },
  };
};

/** Rollouts of a branch that still run: the rollout itself and what was forked from it. */
const runningIn = (model: TreeModel, rollout: number): number => {
  const { layout, view } = model;
  let running = 0;
  const last = layout.end[rollout] ?? 0;
  for (let row = layout.rowOf[rollout] ?? 0; row < last; row++) {
    if (endingOf(view, layout.rolloutAt[row] ?? -1) === null) running += 1;
  }
  return running;
};

/** Stops the rollout, or with forks the branch below its first node. */
export const stopAction = (model: TreeModel, rollout: number): Action => {
  const id = idOf(model, rollout);
  const running = rollout < 0 ? 0 : runningIn(model, rollout);
  const first = model.view.nodes.id[model.view.rollouts.firstNode[rollout] ?? -1];
  const alone = (model.layout.end[rollout] ?? 0) - (model.layout.rowOf[rollout] ?? 0) <= 1;
  return {
    title: text('stopTitle', { rollout: id, count: count(running) }),
    off:
      whyNotSteer('steer.stop') ??
      (rollout < 0 ? text('stopNoRollout') : running === 0 ? text('stopEnded', { rollout: id }) : null),
    run: () => {
      void command({
        id: 'stop',
        subject: alone || first === undefined ? { type: 'rollout', id } : { type: 'node', id: first },
      });
    },
  };
};

export const pauseAction = (prompt: string): Action => ({
  title: text('pauseTitle', { prompt }),
  off: whyNotSteer('steer.pause.prompt'),
  run: () => {
    void command({ id: 'pause', target: 'prompt', subject: prompt });
  },
});
