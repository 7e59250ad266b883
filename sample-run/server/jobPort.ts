import type { InitializeResult, Scope } from '../../protocol/wire/handshake';
import type { ReadName, ReadParams, ReadResult } from '../../protocol/wire/reads';
import type { SteeringAnswer, SteeringName, SteeringParams } from '../../protocol/wire/steering';

/** Who asks: stamped by the server beside the author that the request claims. */
export interface Peer {
  readonly connection: string;
  readonly scope: Scope;
}

/** Reads that the job answers; the others are the stream’s and the journal’s. */
export type JobReadName = Exclude<ReadName, 'subscribe' | 'snapshot' | 'readSteps'>;

export type JobReads = {
  readonly [N in JobReadName]: (params: ReadParams<N>) => ReadResult<N> | Promise<ReadResult<N>>;
};

/** What the server needs of the job. Nothing here waits for the training loop. */
export interface JobPort {
  /** The part of the answer to `initialize` that the job knows. */
  describe(): Pick<
    InitializeResult,
    'server' | 'run' | 'incarnation' | 'capabilities' | 'successThreshold' | 'sampling' | 'methods'
  >;
  /** An RpcError thrown by a read is the answer. */
  readonly reads: JobReads;
  steer<N extends SteeringName>(name: N, params: SteeringParams<N>, peer: Peer): SteeringAnswer;
}
