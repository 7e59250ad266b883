/** Programs of the installed host; `codeServer` is null in the light form. */
export interface Host {
  readonly node: string;
  readonly vsce: string;
  readonly codeServer: string;
}
export function installHost(form: 'light' | 'full'): Promise<Host>;
