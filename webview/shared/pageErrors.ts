declare global {
  interface Window {
    /** Errors of this page since it was loaded, newest last; read by the end-to-end tests. */
    __rolloutscopeErrors?: string[];
  }
}

const KEPT = 50;

/**
 * An error in one line that carries no model text: a parser's message quotes its input, so that only the
 * name of such an error is told.
 */
export const describeError = (error: unknown): string => {
  if (!(error instanceof Error)) return 'An error without a name';
  if (error instanceof SyntaxError) return error.name;
  const where = /\bat (\S+) /.exec(error.stack ?? '')?.[1];
  return `${error.name}: ${error.message.slice(0, 160)}${where === undefined ? '' : ` (${where})`}`;
};

/** Collects the page's uncaught errors in `window.__rolloutscopeErrors` and reports each once to `tell`. */
export const catchPageErrors = (tell: (message: string) => void): ((error: unknown) => void) => {
  const errors: string[] = (window.__rolloutscopeErrors ??= []);
  const note = (error: unknown): void => {
    const line = describeError(error);
    if (errors.length < KEPT) errors.push(line);
    if (errors.indexOf(line) === errors.length - 1) tell(line);
  };
  window.addEventListener('error', (event) => {
    // The browser's own notice that a size changed twice in a frame: harmless, and not an Error.
    if (event.error !== null && event.error !== undefined) note(event.error);
  });
  window.addEventListener('unhandledrejection', (event) => note(event.reason));
  return note;
};
