import { Rng } from '../../methods/random';
import { LEVELS, problemKey, promptTokens, randomProblem } from './problem';
import type { Level, Problem } from './problem';
import { detokenise } from './vocabulary';

/** A prompt of the data set. */
export interface Task {
  /** Stable over runs and versions, for example add-1017: level, then number; from 500 on held out. */
  readonly id: string;
  readonly split: 'train' | 'heldOut';
  readonly level: Level;
  readonly problem: Problem;
  readonly tokens: readonly number[];
  readonly text: string;
}

const TRAIN_PER_LEVEL = 24;
const HELD_OUT_PER_LEVEL = 15;
const HELD_OUT_FIRST = 500;
/** Fixed: the ids stand for these sums in every run. */
const TASK_SEED = 20240917;

function buildTasks(): Task[] {
  const seen = new Set<string>();
  const tasks: Task[] = [];
  for (const level of LEVELS) {
    const random = Rng.from(TASK_SEED).fork(`tasks-level-${level}`);
    for (let i = 0; i < TRAIN_PER_LEVEL + HELD_OUT_PER_LEVEL; i++) {
      let problem = randomProblem(level, random);
      while (seen.has(problemKey(problem))) problem = randomProblem(level, random);
      seen.add(problemKey(problem));
      const heldOut = i >= TRAIN_PER_LEVEL;
      const number = heldOut ? HELD_OUT_FIRST + i - TRAIN_PER_LEVEL : i;
      const tokens = promptTokens(problem);
      tasks.push({
        id: `add-${level * 1000 + number}`,
        split: heldOut ? 'heldOut' : 'train',
        level,
        problem,
        tokens,
        text: detokenise(tokens).text,
      });
    }
  }
  return tasks;
}

const TASKS: readonly Task[] = buildTasks();

/** 96 prompts to train on, 24 of each level. */
export const TRAIN_TASKS: readonly Task[] = TASKS.filter((task) => task.split === 'train');
/** 60 prompts to measure on, 15 of each level. No sum of them is a sum of a training prompt. */
export const HELD_OUT_TASKS: readonly Task[] = TASKS.filter((task) => task.split === 'heldOut');

const BY_ID: ReadonlyMap<string, Task> = new Map(TASKS.map((task) => [task.id, task]));
const TASK_KEYS: ReadonlySet<string> = new Set(TASKS.map((task) => problemKey(task.problem)));

export function taskById(id: string): Task | undefined {
  return BY_ID.get(id);
}

/** Whether a sum is one of the data set's; demonstrations are never made from these. */
export function isTaskProblem(problem: Problem): boolean {
  return TASK_KEYS.has(problemKey(problem));
}
