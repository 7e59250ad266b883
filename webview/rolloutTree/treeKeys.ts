import { hideCard, showCard } from '../shared/hoverCard';
import { step as stepBy } from '../shared/keys';
import { steeringShown } from '../shared/steering';
import { forkAction, pauseAction, stopAction, type Action } from './actions';
import { firstChildOf, siblingOf } from './layout';
import type { TreeModel } from './treeModel';
import { caret, ROW, viewHeight, zoom } from './treeState';

export interface Moves {
  readonly moveTo: (rollout: number) => void;
  readonly choose: (rollout: number) => void;
  readonly levelUp: () => void;
}

/** An action that cannot be done says why beside the row. */
const attempt = (action: Action): void => {
  const row = document.querySelector('.tree-row.tree-current') ?? document.querySelector('.tree-toolbar');
  const why = action.off;
  if (why === null) action.run();
  else if (row) {
    hideCard();
    showCard(`why ${why}`, row.getBoundingClientRect(), () => why);
  }
};

export interface TreeKeys {
  (event: KeyboardEvent, current: number): boolean;
  /** Opens the preview of a fork at the caret, or says what is missing. */
  readonly fork: (rollout: number) => void;
}

/** Keys of the picture (section 7 of the visual system). They open previews; none acts at once. */
export const treeKey = (model: TreeModel, { moveTo, choose, levelUp }: Moves): TreeKeys => {
  const { layout } = model;
  const go = (rollout: number): boolean => {
    if (rollout >= 0) moveTo(rollout);
    return true;
  };
  const fork = (rollout: number): void => {
    if (steeringShown()) attempt(forkAction(model, rollout, caret.value));
  };
  const letter = (key: string, current: number): boolean => {
    switch (key) {
      case 'f':
        choose(current);
        fork(current);
        return true;
      case 's':
        choose(current);
        if (steeringShown()) attempt(stopAction(model, current));
        return true;
      case 'p':
        if (steeringShown()) attempt(pauseAction(model.view.prompt));
        return true;
      case '0':
        zoom.value = null;
        return true;
      default:
        return false;
    }
  };
  const press = (event: KeyboardEvent, current: number): boolean => {
    if (event.ctrlKey || event.metaKey) return false;
    if (event.altKey) {
      if (event.key === 'ArrowUp') return go(siblingOf(layout, current, -1));
      return event.key === 'ArrowDown' ? go(siblingOf(layout, current, 1)) : false;
    }
    switch (event.key) {
      case 'ArrowLeft':
        return go(layout.parent[current] ?? -1);
      case 'ArrowRight':
        return go(firstChildOf(layout, current));
      case 'Enter':
      case ' ':
        if (current >= 0) choose(current);
        return true;
      case 'Escape':
        levelUp();
        return true;
      default: {
        const page = Math.max(1, Math.floor(viewHeight.peek() / ROW) - 1);
        const row = stepBy(event.key, layout.rowOf[current] ?? -1, layout.count, 'column', false, page);
        return row === null ? letter(event.key.toLowerCase(), current) : go(layout.rolloutAt[row] ?? -1);
      }
    }
  };
  return Object.assign(press, { fork });
};
