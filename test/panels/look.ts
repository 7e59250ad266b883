import { PageHost, picture } from './pageHost';
import { SCENARIOS } from './fixtures/scenarios';
import { THEMES, type ThemeName } from './themes';

/**
 * Pictures of scenarios for the eye, into test-results/panels:
 * `npx tsx test/panels/look.ts <scenario>,… [theme],… [width]x[height],…`
 */
const isTheme = (name: string): name is ThemeName => Object.hasOwn(THEMES, name);

const [names = '', themes = 'dark', sizes = '1400x840'] = process.argv.slice(2);
const chosen = Object.keys(SCENARIOS).filter((name) => names.split(',').includes(name));
const panels = [...new Set(chosen.flatMap((name) => SCENARIOS[name]?.panel ?? []))];
async function main(): Promise<void> {
  const host = await PageHost.start(panels);
  for (const name of chosen) {
    for (const theme of themes.split(',').filter(isTheme)) {
      for (const size of sizes.split(',')) {
        const [width = 1400, height = 840] = size.split('x').map(Number);
        const page = await host.open(name, { theme, width, height });
        await page.waitForTimeout(400);
        const errors = await page.evaluate(() => window.__rolloutscopeErrors ?? []);
        if (errors.length > 0) console.error(name, theme, size, errors);
        await picture(page, `${name}-${theme}-${width}`);
        await page.context().close();
      }
    }
  }
  await host.close();
}

void main();
