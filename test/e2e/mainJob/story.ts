import type { Session } from '../harness/session';

export const AUTHOR = 'Ada Lovelace';

/** What the parts of the main job hand on to each other; they are told in order. */
export interface Story {
  readonly session: () => Session;
  /** The prompt that is given more. */
  prompt: string;
  /** The node that is forked, and where. */
  node: string;
  at: number;
  /** Folder of the run's journal. */
  journal: string;
}
