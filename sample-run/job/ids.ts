/**
 * Ids of the sample run. They name the step, so that the text of an old node can be found in the journal by its
 * id alone; from the second start on they begin with the start, so that a step that was begun twice has two sets.
 */
const NODE_ID = /^(?:i(\d+)\.)?s(\d+)\..+\.n\d+$/;

export class IdMaker {
  private readonly prefix: string;

  constructor(incarnation: number) {
    this.prefix = incarnation > 1 ? `i${incarnation}.` : '';
  }

  group(step: number, prompt: string): string {
    return `${this.prefix}s${step}.${prompt}`;
  }

  decision(step: number, index: number): string {
    return `${this.prefix}s${step}.d${index}`;
  }

  evaluation(step: number): string {
    return `${this.prefix}e${step}`;
  }
}

export const rolloutId = (group: string, index: number): string => `${group}.r${index}`;
export const nodeId = (group: string, index: number): string => `${group}.n${index}`;

/** Incarnation and step that an id speaks of; null when it is no node id of this job. */
export function placeOfNode(id: string): { incarnation: number; step: number } | null {
  const match = NODE_ID.exec(id);
  return match ? { incarnation: Number(match[1] ?? 1), step: Number(match[2]) } : null;
}
