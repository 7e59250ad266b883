import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SCENARIOS } from './fixtures/scenarios';
import { accessibilityProblems, PageHost, picture } from './pageHost';
import { THEMES, type ThemeName } from './themes';

const isTheme = (name: string): name is ThemeName => Object.hasOwn(THEMES, name);
const names = Object.keys(SCENARIOS);
/** Every scenario in Dark Modern; one of each panel in every theme and width. */
type Case = readonly [scenario: string, theme: ThemeName, width: number];
const cases = names.flatMap((name): readonly Case[] => {
  const representative = name.endsWith('-live');
  const themes = Object.keys(THEMES).filter(isTheme);
  return themes.flatMap((theme): readonly Case[] => {
    if (theme === 'dark') {
      return (representative ? [1400, 1000, 700, 480] : [1400]).map((width) => [name, theme, width]);
    }
    return representative ? [1400, 700].map((width) => [name, theme, width]) : [];
  });
});

describe('every state of every panel', () => {
  let host: PageHost;
  beforeAll(async () => {
    host = await PageHost.start([...new Set(names.flatMap((name) => SCENARIOS[name]?.panel ?? []))]);
  });
  afterAll(() => host.close());

  it.each(cases)(
    '%s in %s at %i px breaks no rule of accessibility and throws nothing',
    async (name, theme, width) => {
      const page = await host.open(name, { theme, width, height: width < 800 ? 900 : 840 });
      await page.waitForTimeout(350);
      await picture(page, `${name}-${theme}-${width}`);
      const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      const errors = await page.evaluate(() => window.__rolloutscopeErrors ?? []);
      const problems = await accessibilityProblems(page);
      await page.context().close();
      expect(errors).toEqual([]);
      expect(sideways).toBe(0);
      expect(problems).toEqual([]);
    },
  );
});
