import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadWeights } from '../policy/weights';
import { LEVELS } from '../tasks/problem';
import { HELD_OUT_TASKS } from '../tasks/taskSet';
import { evaluate } from './evaluate';
import { RECIPE } from './recipe';
import { warmStart } from './warmStart';

const BYTES = readFileSync(new URL('../policy/weights.bin', import.meta.url));

describe('shipped weights', () => {
  it('name the recipe that stands in recipe.ts, and are small', () => {
    const { parameters, recipe } = loadWeights(BYTES);
    expect(recipe).toEqual(RECIPE);
    expect(parameters.shape).toEqual(RECIPE.shape);
    expect(BYTES.length).toBeLessThan(500_000);
  });

  it('start where reinforcement learning has something to do, on each level', () => {
    const { parameters } = loadWeights(BYTES);
    const { pass1, meanTokens, prompts } = evaluate(parameters, HELD_OUT_TASKS, 16, 1, 'start');
    expect(pass1).toBeGreaterThan(0.1);
    expect(pass1).toBeLessThan(0.5);
    expect(meanTokens).toBeGreaterThan(24);
    for (const level of LEVELS) {
      expect(prompts.filter((p) => p.level === level).some((p) => p.correct > 0)).toBe(true);
    }
  });
});

describe('warm start', () => {
  it('is the same on every run of a recipe, learns, and differs by seed', () => {
    const recipe = {
      ...RECIPE,
      shape: { ...RECIPE.shape, hidden: 10, query: 4 },
      updates: 60,
      batch: 8,
    };
    const losses: number[] = [];
    const first = warmStart(recipe, (_, loss) => losses.push(loss)).values;
    expect(losses).toHaveLength(60);
    expect(losses.at(-1)!).toBeLessThan(0.8 * losses[0]!);
    const silent = (): void => undefined;
    expect(warmStart(recipe, silent).values).toEqual(first);
    expect(warmStart({ ...recipe, seed: 2 }, silent).values).not.toEqual(first);
  });
});
