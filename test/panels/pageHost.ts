import type * as Axe from 'axe-core';
import { build } from 'esbuild';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { mkdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { chromium, type Browser, type Page } from 'playwright-core';
import type { PanelName } from '../../protocol/panels/messages';
import { NOW } from './fixtures/runHeader';
import { SCENARIOS } from './fixtures/scenarios';
import { THEMES, type ThemeName } from './themes';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PICTURES = `${ROOT}test-results/panels`;
/** As VS Code's own start-up style does it, in a layer below the page's. */
const VSCODE_STYLE = `@layer vscode-default {
  html { scrollbar-color: var(--vscode-scrollbarSlider-background) var(--vscode-editor-background); }
  body { padding: 0 20px; color: var(--vscode-editor-foreground); font: var(--vscode-font-weight) var(--vscode-font-size) var(--vscode-font-family); }
}`;

const executable = (): string => {
  const path = [
    process.env['CHROME'],
    '/usr/bin/chromium-headless-shell',
    '/usr/bin/chromium',
    '/usr/bin/google-chrome',
  ].find((candidate) => candidate !== undefined && existsSync(candidate));
  if (path === undefined) {
    throw new Error('No browser found. Install chromium-headless-shell, or name a Chromium in CHROME.');
  }
  return path;
};

export interface OpenOptions {
  readonly theme?: ThemeName;
  readonly width?: number;
  readonly height?: number;
  /** `--vscode-font-size`, CSS pixels. */
  readonly fontSize?: number;
  readonly scale?: number;
  readonly reducedMotion?: boolean;
  /** The browser's own clock and animation frames, for measurements; else time stands still. */
  readonly realClock?: boolean;
}

interface Asset {
  readonly type: string;
  readonly body: Buffer | Uint8Array | string;
}

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  ttf: 'font/ttf',
};

/** Builds pages from the sources with the options of the shipped bundles, serves them, opens them in Chromium. */
export class PageHost {
  private constructor(
    private readonly server: Server,
    private readonly origin: string,
    private readonly browser: Browser,
  ) {}

  static async start(panels: readonly PanelName[]): Promise<PageHost> {
    const assets = new Map<string, Asset>();
    const result = await build({
      absWorkingDir: ROOT,
      entryPoints: [
        ...panels.map((panel) => ({ out: panel, in: `webview/${panel}/main.tsx` })),
        { out: 'fakeHost', in: 'test/panels/fakeHost.ts' },
      ],
      outdir: 'dist/webview',
      write: false,
      bundle: true,
      minify: true,
      platform: 'browser',
      format: 'iife',
      target: 'es2022',
      jsx: 'automatic',
      jsxImportSource: 'preact',
      loader: { '.ttf': 'file' },
      assetNames: '[name]',
      define: { 'process.env.NODE_ENV': '"production"' },
      logLevel: 'warning',
    });
    for (const { path, contents } of result.outputFiles) {
      const name = path.slice(path.lastIndexOf('/') + 1);
      assets.set(`/${name}`, {
        type: TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream',
        body: contents,
      });
    }
    const server = createServer((request, response) => answer(assets, request.url ?? '/', response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    const browser = await chromium.launch({ executablePath: executable(), chromiumSandbox: false });
    return new PageHost(server, `http://127.0.0.1:${address.port}`, browser);
  }

  async open(scenario: string, options: OpenOptions = {}): Promise<Page> {
    const { theme = 'dark', width = 1400, height = 840, fontSize = 13, scale = 1 } = options;
    const panel = SCENARIOS[scenario]?.panel;
    if (panel === undefined) throw new Error(`no scenario ${scenario}`);
    const context = await this.browser.newContext({
      viewport: { width, height },
      deviceScaleFactor: scale,
      timezoneId: 'UTC',
      reducedMotion: options.reducedMotion === true ? 'reduce' : 'no-preference',
    });
    const page = await context.newPage();
    if (options.realClock !== true) await page.clock.setFixedTime(NOW);
    const query = new URLSearchParams({ panel, scenario, theme, fontSize: String(fontSize) });
    await page.goto(`${this.origin}/?${query.toString()}`);
    await page.waitForSelector('#app .rs-panel');
    await page.waitForFunction(() => document.fonts.status === 'loaded');
    return page;
  }

  async close(): Promise<void> {
    await this.browser.close();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

function answer(assets: ReadonlyMap<string, Asset>, url: string, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(url, 'http://127.0.0.1');
  const asset = assets.get(pathname);
  if (asset) {
    response.writeHead(200, { 'content-type': asset.type });
    response.end(asset.body);
    return;
  }
  if (pathname !== '/') {
    response.writeHead(404);
    response.end();
    return;
  }
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    // As strict as a panel's own: scripts, styles and fonts of the extension only; the control toolkit sets styles.
    'content-security-policy':
      "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; img-src 'self' data:",
  });
  response.end(html(searchParams));
}

function html(query: URLSearchParams): string {
  const themeName = query.get('theme');
  const theme =
    THEMES[themeName === 'light' || themeName === 'hc' || themeName === 'hcLight' ? themeName : 'dark'];
  const panel = query.get('panel') ?? '';
  const variables = Object.entries({ ...theme.variables, 'font-size': `${query.get('fontSize') ?? '13'}px` })
    .map(([name, value]) => `--vscode-${name}: ${value};`)
    .join(' ');
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>${panel}</title>
<style>:root { ${variables} } ${VSCODE_STYLE}</style>
<link rel="stylesheet" href="/${panel}.css"></head>
<body class="${theme.classes}" data-vscode-theme-kind="${theme.kind}"><div id="app"></div>
<script src="/fakeHost.js"></script><script src="/${panel}.js"></script></body></html>`;
}

/** Keeps a picture of the page for people to look at, `test-results/panels/<name>.png`. */
export async function picture(page: Page, name: string): Promise<void> {
  await mkdir(PICTURES, { recursive: true });
  await page.screenshot({ path: `${PICTURES}/${name}.png`, animations: 'disabled' });
}

/** Rules of accessibility that the page breaks, as `rule: element`. */
export async function accessibilityProblems(page: Page): Promise<readonly string[]> {
  const source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  await page.evaluate(source);
  return page.evaluate(async () => {
    const { axe } = window;
    if (!axe) throw new Error('axe was not loaded');
    const { violations } = await axe.run(document, {
      runOnly: {
        type: 'tag',
        values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
      },
    });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${String(target)}: ${failureSummary ?? ''}`),
    );
  });
}

declare global {
  interface Window {
    axe?: typeof Axe;
  }
}
