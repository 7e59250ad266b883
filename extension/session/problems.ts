import { CLOSE_CODES, isFatalClose } from '../../protocol/wire/wireError';

/** What can be wrong with a connection or a recorded run. `errors.ts` says it to a person. */
export const PROBLEM_KINDS = [
  'unreachable',
  'nothingListens',
  'unknownHost',
  'timeout',
  'insecure',
  'certificate',
  'tokenRefused',
  'forbidden',
  'notRolloutscope',
  'wrongProtocol',
  'tooManyClients',
  'otherRun',
  'malformed',
  'oversized',
  'outOfOrder',
  'closed',
  'silent',
  'slowClient',
  'shuttingDown',
  'journal',
  'results',
  'workerFailed',
] as const;
export type ProblemKind = (typeof PROBLEM_KINDS)[number];

export interface Problem {
  readonly kind: ProblemKind;
  /** What and where, for the log and the second sentence; no token and no payload. */
  readonly detail: string;
}

/** Asking again gives the same answer until a person or the job changes something. */
const FATAL: ReadonlySet<ProblemKind> = new Set([
  'insecure',
  'certificate',
  'tokenRefused',
  'forbidden',
  'notRolloutscope',
  'wrongProtocol',
  'tooManyClients',
  'otherRun',
  'journal',
  'results',
  'workerFailed',
]);
export const isFatal = (kind: ProblemKind): boolean => FATAL.has(kind);

/** The other end, or this one, speaks the protocol wrongly: worth another try from the last good seq, not many. */
const FAULTS: ReadonlySet<ProblemKind> = new Set(['malformed', 'oversized', 'outOfOrder']);
export const isFault = (kind: ProblemKind): boolean => FAULTS.has(kind);

const BY_CLOSE_CODE: Readonly<Record<number, ProblemKind>> = {
  1002: 'malformed',
  1007: 'malformed',
  1009: 'oversized',
  [CLOSE_CODES.malformedMessage]: 'malformed',
  [CLOSE_CODES.unauthorised]: 'tokenRefused',
  [CLOSE_CODES.forbidden]: 'forbidden',
  [CLOSE_CODES.wrongProtocol]: 'wrongProtocol',
  [CLOSE_CODES.frameTooLarge]: 'oversized',
  [CLOSE_CODES.tooManyClients]: 'tooManyClients',
  [CLOSE_CODES.initializeTimeout]: 'timeout',
  [CLOSE_CODES.slowClient]: 'slowClient',
  [CLOSE_CODES.shuttingDown]: 'shuttingDown',
};

/** Problem of a close code. A fatal code that this version does not know counts as another protocol. */
export function problemOfClose(code: number): ProblemKind {
  return BY_CLOSE_CODE[code] ?? (isFatalClose(code) ? 'wrongProtocol' : 'closed');
}

/** Problem of the HTTP answer to an upgrade that was not one. */
export function problemOfStatus(status: number): ProblemKind {
  if (status === 401) return 'tokenRefused';
  if (status === 403) return 'forbidden';
  if (status === 429) return 'tooManyClients';
  if (status === 426) return 'wrongProtocol';
  return status >= 500 ? 'unreachable' : 'notRolloutscope';
}

const BY_SYSTEM_CODE: Readonly<Record<string, ProblemKind>> = {
  ECONNREFUSED: 'nothingListens',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  ECONNRESET: 'closed',
  EPIPE: 'closed',
  ETIMEDOUT: 'timeout',
  ENOTFOUND: 'unknownHost',
  EAI_AGAIN: 'unknownHost',
  EPROTO: 'certificate',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate',
  CERT_HAS_EXPIRED: 'certificate',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate',
  WS_ERR_UNSUPPORTED_MESSAGE_LENGTH: 'oversized',
};

/** Problem of an error of the socket, by its code. Frames that are not WebSocket frames are malformed; what is not HTTP is no job. */
export function problemOfSystem(code: string): ProblemKind | null {
  if (code.startsWith('HPE_')) return 'notRolloutscope';
  return BY_SYSTEM_CODE[code] ?? (code.startsWith('WS_ERR_') ? 'malformed' : null);
}
