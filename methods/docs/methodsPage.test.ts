import { describe, expect, it } from 'vitest';
import { allocationMethods } from '../allocation/methods';
import { methodsPage } from './methodsPage';
import { NOT_OFFERED } from './notOffered';

describe('the page of methods', () => {
  const page = methodsPage();

  it.each(allocationMethods.map((method) => [method.id, method] as const))(
    'has %s with its source, confidence and parameters',
    (id, method) => {
      const from = page.indexOf(`\n### ${method.title}${method.confidence === 'exact' ? '' : ' †'}\n`);
      expect(from).toBeGreaterThan(0);
      const own = page.slice(from, page.indexOf('\n##', from + 1));
      expect(own).toContain(`Id: \`${id}\``);
      expect(own).toContain(method.confidence === 'exact' ? 'exact' : '**reconstructed**');
      for (const { name } of method.parameters) expect(own).toContain(`| \`${name}\` |`);
    },
  );

  it('links each method of the overview to its own section', () => {
    const headings = [...page.matchAll(/^### (.+)$/gmu)].map(([, text]) => text!);
    expect(new Set(headings).size).toBe(allocationMethods.length);
    const links = [...page.matchAll(/\]\(#([^)]+)\)/gu)].map(([, target]) => target!);
    expect(links).toHaveLength(allocationMethods.length);
    expect(new Set(links).size).toBe(links.length);
  });

  it('names nothing both as offered and as not offered', () => {
    const offered = new Set(allocationMethods.map(({ title }) => title));
    for (const { title, why } of NOT_OFFERED) {
      expect(offered.has(title)).toBe(false);
      expect(why).toMatch(/\.$/u);
    }
  });
});
