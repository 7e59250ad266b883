/**
 * Why a rule or an estimator gives no answer. The message is for the person: what is wrong with the input, what
 * that means, what to do. `code` is stable and for programs; `prompts` are the indices it is about, if any.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(
    readonly code: RefusalCode,
    message: string,
    readonly prompts: readonly number[] = [],
  ) {
    super(message);
  }
}

export type RefusalCode =
  | 'bad-count'
  | 'bad-rate'
  | 'bad-reward'
  | 'bad-parameter'
  | 'bad-budget'
  | 'bad-tree'
  | 'bad-outcome'
  | 'missing-input'
  | 'ended';
