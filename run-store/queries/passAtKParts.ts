import type { CurveKind, PassAtKParams } from '../../protocol/panels/passAtK';
import type { RunStore } from '../runStore';
import { type Evaluated, type Part, isFull } from './passAtKCurves';

/** Curves of prompts that a person chose, at most; buckets and domains, at most. */
export const MOST_PARTS = 12;

/** Whether curves of this kind are parts of one measurement: other prompts each, so that they cannot be paired. */
export const isParted = (by: CurveKind): boolean => by === 'difficulty' || by === 'domain' || by === 'prompt';

/** Parts of the shown measurement, each over its own prompts with n ≥ the largest k; the largest first. */
export function partsOf(
  store: RunStore,
  { by, prompts: chosen }: PassAtKParams,
  shown: Evaluated,
  against: Evaluated,
  length: number,
): Part[] {
  const full: number[] = [];
  for (let prompt = 0; prompt < shown.table.size; prompt++) {
    if (isFull(shown, prompt, length)) full.push(prompt);
  }
  if (by === 'prompt') {
    const wanted = chosen.map((id) => store.prompts.find(id)).filter((row) => full.includes(row));
    const rows = chosen.length > 0 ? wanted : mostChanged(full, shown, against);
    return [...new Set(rows)]
      .slice(0, MOST_PARTS)
      .map((row) => ({ key: store.prompts.ids[row]!, of: shown, prompts: [row] }));
  }
  const byName = new Map<string, number[]>();
  for (const prompt of full) {
    const facts = store.prompts.facts[prompt];
    const name = (by === 'difficulty' ? facts?.difficulty : facts?.domain) ?? null;
    if (name === null) continue;
    const known = byName.get(name);
    if (known) known.push(prompt);
    else byName.set(name, [prompt]);
  }
  return [...byName]
    .map(([key, prompts]): Part => ({ key, of: shown, prompts }))
    .sort((a, b) => b.prompts.length - a.prompts.length)
    .slice(0, MOST_PARTS);
}

const SUGGESTED = 6;

/** Prompts whose coverage changed most against the reference; with one measurement those with pass@1 nearest to .5. */
function mostChanged(full: readonly number[], shown: Evaluated, against: Evaluated): number[] {
  const last = shown.table.ks.length - 1;
  const weight = (prompt: number): number => {
    const then = shown === against ? undefined : against.table.at(prompt, last);
    if (then === undefined) return -Math.abs((shown.table.at(prompt, 0) ?? 0) - 0.5);
    return Math.abs((shown.table.at(prompt, last) ?? 0) - then);
  };
  return [...full].sort((a, b) => weight(b) - weight(a) || a - b).slice(0, SUGGESTED);
}
