import type { Subject } from '../../protocol/wire/values';
import type { SteeringName, SteeringParams } from '../../protocol/wire/steering';

type Common = 'commandId' | 'incarnation' | 'author' | 'reason' | 'dryRun';

/** What a person chose for a steering request; who, why and the id are added when it is sent. */
export type Own<N extends SteeringName> = Omit<SteeringParams<N>, Common>;

/** A steering request before its preview. */
export type SteeringRequest = {
  [N in SteeringName]: {
    readonly name: N;
    readonly own: Own<N>;
    /** The things on which the turning mark is drawn until the job has answered by an event. */
    readonly subjects: readonly Subject[];
    /** What it is called where the ids say little: the method's title, the sentence of what is undone. */
    readonly title?: string;
  };
}[SteeringName];

/** Builds a request; keeps the name and its parameters together for the compiler. */
export function request<N extends SteeringName>(
  name: N,
  own: Own<N>,
  subjects: readonly Subject[],
  title?: string,
): SteeringRequest {
  return { name, own, subjects, ...(title === undefined ? {} : { title }) } as SteeringRequest;
}
