import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tableGeometry } from './tableGeometry';

const head = (name: string): number => name.length * 6;

describe('the columns of the table', () => {
  it('fit into a wide panel with all sixty steps', () => {
    const geometry = tableGeometry(1150, 'wide', 60, 60, head);
    expect(geometry.heat).toMatchObject({ x: 104, steps: 60, cell: 5 });
    expect(geometry.width).toBeLessThanOrEqual(1150);
    expect(geometry.columns).toContain('tokens');
  });

  it('show the last 24 steps in a narrow one and leave out what runs', () => {
    const geometry = tableGeometry(700, 'narrow', 60, 60, head);
    expect(geometry.heat).toMatchObject({ steps: 24, cell: 6 });
    expect(geometry.width).toBeLessThanOrEqual(700);
  });

  it('never lie over each other, whatever the ids and the width', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 300, max: 3000 }),
        fc.constantFrom('wide' as const, 'medium' as const, 'narrow' as const),
        fc.integer({ min: 0, max: 600 }),
        fc.integer({ min: 0, max: 60 }),
        (width, breakpoint, longest, steps) => {
          const g = tableGeometry(width, breakpoint, longest, steps, head);
          expect(g.heat.x).toBeGreaterThanOrEqual(g.prompt);
          expect(g.rate.x).toBeGreaterThanOrEqual(g.heat.x + g.heat.steps * g.heat.cell);
          expect(g.run.x).toBeGreaterThanOrEqual(g.rate.x + g.rate.width);
          expect(g.counts.x).toBe(g.run.x + g.run.width);
          expect(g.heat.steps).toBeLessThanOrEqual(steps);
        },
      ),
    );
  });
});
