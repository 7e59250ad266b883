/** What the global setup installs once and hands to every end-to-end test file through `inject`. */
export interface ProvidedHost {
  /** Program: the Node that runs the served VS Code and its extension host. */
  readonly node: string;
  /** Script of the served VS Code. */
  readonly codeServer: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    readonly host: ProvidedHost;
    /** Program: the Chromium to drive. */
    readonly chrome: string;
  }
}
