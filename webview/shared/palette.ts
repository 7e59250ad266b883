import { signal, type ReadonlySignal } from '@preact/signals';
import { STEPS } from './scales';

export type Theme = 'dark' | 'light' | 'highContrast' | 'highContrastLight';

/** Computed colours for canvases, as strings that `fillStyle` takes. */
export interface Palette {
  readonly theme: Theme;
  readonly ground: string;
  readonly text: string;
  readonly second: string;
  readonly line: string;
  readonly grid: string;
  readonly strip: string;
  /** Outline of a strip or cell. */
  readonly cell: string;
  readonly focus: string;
  readonly active: string;
  readonly activeText: string;
  readonly inactive: string;
  readonly hover: string;
  readonly contrast: string;
  readonly contrastActive: string;
  readonly blue: string;
  readonly red: string;
  readonly orange: string;
  readonly purple: string;
  readonly used: string;
  readonly minimap: string;
  readonly sequential: readonly string[];
  /** Ink on each step of the sequential scale. */
  readonly sequentialInk: readonly string[];
  /** Steps −3 to 3 at 0 to 6. */
  readonly diverging: readonly string[];
  readonly divergingInk: readonly string[];
  /** `font` of a canvas for 11 px and 13 px text, and the same in monospace. */
  readonly smallFont: string;
  readonly bodyFont: string;
  readonly strongFont: string;
  readonly monoFont: string;
}

export const themeOf = (classes: DOMTokenList): Theme => {
  if (classes.contains('vscode-high-contrast-light')) return 'highContrastLight';
  if (classes.contains('vscode-high-contrast')) return 'highContrast';
  return classes.contains('vscode-light') ? 'light' : 'dark';
};

/** First step of the sequential scale on which the high ink stands. */
export const highInkFrom = (theme: Theme): number => (theme === 'highContrast' ? 4 : 5);

/** Whether the high ink stands on a step (0 to 6) of the diverging scale. */
export const divergingHighInk = (theme: Theme, step: number): boolean => {
  const size = Math.abs(step - 3);
  return size === 3 || (size === 2 && (theme === 'dark' || theme === 'highContrast'));
};

const measure = (): Palette => {
  const probe = document.createElement('span');
  probe.hidden = true;
  document.body.append(probe);
  const computed = getComputedStyle(probe);
  const colour = (name: string): string => {
    probe.style.color = `var(--rs-${name})`;
    return computed.color;
  };
  const font = (weight: number, size: string, family: string): string => {
    probe.style.font = `${weight} ${size} ${family}`;
    return `${weight} ${computed.fontSize} ${computed.fontFamily}`;
  };
  const theme = themeOf(document.body.classList);
  const low = colour('ink-low');
  const high = colour('ink-high');
  const steps = Array.from({ length: STEPS }, (_, i) => i);
  const ui = 'var(--vscode-font-family, system-ui, sans-serif)';
  const palette: Palette = {
    theme,
    ground: colour('ground'),
    text: colour('text'),
    second: colour('second'),
    line: colour('line'),
    grid: colour('grid'),
    strip: colour('strip'),
    cell: colour('cell'),
    focus: colour('focus'),
    active: colour('active'),
    activeText: colour('active-text'),
    inactive: colour('inactive'),
    hover: colour('hover'),
    contrast: colour('contrast'),
    contrastActive: colour('contrast-active'),
    blue: colour('blue'),
    red: colour('red'),
    orange: colour('orange'),
    purple: colour('purple'),
    used: colour('used'),
    minimap: colour('minimap'),
    sequential: steps.map((i) => colour(`seq-${i}`)),
    sequentialInk: steps.map((i) => (i >= highInkFrom(theme) ? high : low)),
    diverging: steps.map((i) => colour(`div-${i}`)),
    divergingInk: steps.map((i) => (divergingHighInk(theme, i) ? high : low)),
    smallFont: font(400, 'var(--rs-small)', ui),
    bodyFont: font(400, 'var(--rs-body)', ui),
    strongFont: font(600, 'var(--rs-small)', ui),
    monoFont: font(400, 'var(--rs-body)', 'var(--rs-mono)'),
  };
  probe.remove();
  return palette;
};

const current = signal<Palette>(measure());

/** The colours of the present theme; changes with the theme and the user's own colours. */
export const palette: ReadonlySignal<Palette> = current;

let asked = false;
const again = (): void => {
  if (asked) return;
  asked = true;
  requestAnimationFrame(() => {
    asked = false;
    current.value = measure();
  });
};
// VS Code writes the theme's kind into the body's class and its variables into the root's style.
const observer = new MutationObserver(again);
observer.observe(document.documentElement, { attributes: true, attributeFilter: ['class', 'style'] });
observer.observe(document.body, { attributes: true, attributeFilter: ['class', 'style'] });
// The style sheet may come after the script.
window.addEventListener('load', again);
