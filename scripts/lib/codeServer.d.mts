export interface CodeServer {
  /** The address that opens a folder, with the secret in it. */
  readonly url: (folder: string) => string;
  readonly userData: string;
  readonly serverLog: string;
  /** Exit code of the server. */
  readonly ended: Promise<number>;
  readonly stop: () => Promise<void>;
}

export function startCodeServer(options: {
  readonly host: { readonly node: string; readonly codeServer: string };
  readonly root: string;
  readonly runtimeDir: string;
  readonly vsix: readonly string[];
  readonly settings: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
}): Promise<CodeServer>;

export function writeUserSettings(userData: string, settings: Readonly<Record<string, unknown>>): void;
