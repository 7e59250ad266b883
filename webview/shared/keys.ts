/**
 * The next place when a key moves among `count` things in a row, or null when the key moves nothing.
 *
 * @param wrap going past an end begins at the other.
 */
export const step = (
  key: string,
  at: number,
  count: number,
  direction: 'row' | 'column' | 'both',
  wrap = false,
  page = 10,
): number | null => {
  if (count <= 0) return null;
  const back = (direction !== 'column' && key === 'ArrowLeft') || (direction !== 'row' && key === 'ArrowUp');
  const forth =
    (direction !== 'column' && key === 'ArrowRight') || (direction !== 'row' && key === 'ArrowDown');
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  if (at < 0) return back || forth || key === 'PageDown' || key === 'PageUp' ? 0 : null;
  if (key === 'PageUp') return Math.max(0, at - page);
  if (key === 'PageDown') return Math.min(count - 1, at + page);
  if (!back && !forth) return null;
  const next = at + (forth ? 1 : -1);
  if (next < 0) return wrap ? count - 1 : 0;
  if (next >= count) return wrap ? 0 : count - 1;
  return next;
};

/** Attribute of the parts that F6 walks: toolbar, picture, side. Give each a name in `aria-label`. */
export const PANE = { 'data-pane': '' } as const;

const FOCUSABLE =
  'button:not([tabindex="-1"]), [tabindex="0"], vscode-button, vscode-text-field, vscode-dropdown, vscode-checkbox, input, select, a[href]';

/** First thing in a pane that can take the focus: the chosen row's list, else the first control. */
const enter = (pane: HTMLElement): boolean => {
  const own = pane.tabIndex >= 0 ? pane : null;
  const grid = pane.querySelector<HTMLElement>('[role="grid"][tabindex="0"], [role="tree"][tabindex="0"]');
  const target = own ?? grid ?? pane.querySelector<HTMLElement>(FOCUSABLE);
  target?.focus();
  return target !== null;
};

/** F6 and Shift+F6 walk the panes of the page. */
export const installPaneKeys = (): void => {
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'F6' || event.ctrlKey || event.metaKey || event.altKey) return;
    const panes = [...document.querySelectorAll<HTMLElement>('[data-pane]')].filter(
      (pane) => pane.offsetParent !== null,
    );
    if (panes.length === 0) return;
    event.preventDefault();
    const at = panes.findLastIndex((pane) => pane.contains(document.activeElement));
    const by = event.shiftKey ? -1 : 1;
    for (let i = 1; i <= panes.length; i++) {
      const from = at < 0 && event.shiftKey ? 0 : at;
      const pane = panes[(((from + by * i) % panes.length) + panes.length) % panes.length];
      if (pane && enter(pane)) return;
    }
  });
};
