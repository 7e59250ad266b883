export interface Gate {
  readonly port: number;
  /** The address with the secret in it. */
  readonly address: (query: Readonly<Record<string, string>>) => string;
  readonly close: () => void;
}

export function openGate(socket: string): Promise<Gate>;
