import axe from 'axe-core';
import type { Frame } from 'playwright-core';

export interface Violation {
  readonly rule: string;
  readonly impact: string;
  readonly help: string;
  /** One line a place: the selector, and what is wrong there. */
  readonly places: readonly string[];
}

declare global {
  interface Window {
    axe?: typeof axe;
  }
}

/**
 * Runs axe-core (its WCAG 2.2 A and AA rules) in a panel's document.
 * @returns the violations, gravest as axe sorts them; a test expects none
 */
export async function violations(frame: Frame): Promise<Violation[]> {
  // Evaluated by the debugger, so the panel's own policy against foreign scripts is not in the way.
  await frame.evaluate(axe.source);
  return frame.evaluate(async () => {
    if (window.axe === undefined) throw new Error('axe-core did not load into the panel.');
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
    const report = await window.axe.run(document, {
      runOnly: { type: 'tag', values: tags },
      resultTypes: ['violations'],
    });
    return report.violations.map((each) => ({
      rule: each.id,
      impact: each.impact ?? 'unknown',
      help: each.help,
      places: each.nodes.map((node) => `${node.target.join(' ')}: ${node.failureSummary ?? ''}`),
    }));
  });
}
