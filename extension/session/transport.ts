import type { ProblemKind } from './problems';

/** Where a session connects, and with what. The token goes into the header of the upgrade and nowhere else. */
export interface Target {
  readonly address: string;
  readonly token: string | null;
}

/** Why a transport ended. `code`: the close code, when the other end closed it. */
export interface TransportEnd {
  readonly problem: ProblemKind;
  readonly code: number | null;
  readonly detail: string;
}

export interface TransportListener {
  onOpen(): void;
  onText(text: string): void;
  /** Called once; nothing is called afterwards. */
  onEnd(end: TransportEnd): void;
}

/** A channel of text frames: the socket in the product, a script in tests. */
export interface Transport {
  send(text: string): void;
  /** Ends the transport without calling `onEnd`. */
  dispose(): void;
}

export type Connect = (target: Target, listener: TransportListener) => Transport;
