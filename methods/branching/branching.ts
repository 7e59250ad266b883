import type { MethodDescription } from '../method';
import type { Parameters } from '../parameters';
import { Refusal } from '../refusal';

/** A stretch of text sampled by one rollout: a root rollout from the prompt on, or a continuation from its fork on. */
export interface Chain {
  /** Tokens of the chain itself, without what it inherits. */
  readonly tokens: number;
  /** Where it attaches: token `at` of chain `chain` was sampled again; undefined for a root rollout. */
  readonly from: { readonly chain: number; readonly at: number } | undefined;
  /** Shannon entropy of the sampling distribution at each token, in nats. */
  readonly entropies?: readonly number[];
  /** Natural logarithm of the probability of each sampled token. */
  readonly logprobs?: readonly number[];
  /** Index of the first token of each sentence, ascending from 0. */
  readonly sentenceStarts?: readonly number[];
  /** Text of each token. */
  readonly texts?: readonly string[];
  /** Whether the rollout that the chain ends succeeded, and its total reward; undefined while it runs. */
  readonly success?: boolean;
  readonly reward?: number;
}

export interface BranchingInputs {
  /** All chains of one prompt's group, parents first. */
  readonly chains: readonly Chain[];
  /** Rounds of forking done before, from 0. */
  readonly round: number;
}

/** A fork to be made: token `at` of the chain is sampled again, `width` times, each to its end. */
export interface ForkDecision {
  readonly chain: number;
  readonly at: number;
  readonly width: number;
  readonly reasonCode: string;
  readonly reason: string;
  readonly numbers: Readonly<Record<string, number>>;
}

export interface BranchingAnswer {
  /** Most valuable first, so that a caller with a smaller budget can cut the list. */
  readonly forks: readonly ForkDecision[];
  /** No further round will fork. */
  readonly done: boolean;
  /** Numbers that hold for all forks of this answer. */
  readonly shared: Readonly<Record<string, number>>;
}

export type ChainColumn = 'entropies' | 'logprobs' | 'sentenceStarts' | 'texts' | 'success';

export interface BranchingMethod extends MethodDescription {
  /**
   * When a fork's position is known. 'online': from the tokens before it alone, so that the mean over children stays
   * unbiased for the success probability; 'after-completion': the whole rollout was seen; 'after-outcome': also
   * whether rollouts succeeded. Only 'online' allows tree-aware pass@k.
   */
  readonly position: 'online' | 'after-completion' | 'after-outcome';
  /** How the children are sampled: all methods here draw them from the same policy, without forcing a token. */
  readonly children: 'same-policy';
  /** Columns that every chain must have. */
  readonly needs: readonly ChainColumn[];
  /** Root rollouts to start with; undefined: as many as the allocation gives. */
  rootRollouts(parameters?: Parameters): number | undefined;
  /** Throws a Refusal if a needed column is absent or has another length than its chain. */
  decide(inputs: BranchingInputs, parameters?: Parameters): BranchingAnswer;
}

/** Throws a Refusal unless every chain is well-formed and has the needed columns. */
export function checkChains({ chains }: BranchingInputs, needs: readonly ChainColumn[]): void {
  chains.forEach((chain, i) => {
    for (const column of needs) {
      const value = chain[column];
      if (value === undefined) {
        throw new Refusal(
          'missing-input',
          `This rule needs ${WORDS[column]} of every rollout; rollout ${i} has none recorded.`,
        );
      }
      if (column !== 'sentenceStarts' && typeof value === 'object' && value.length !== chain.tokens) {
        throw new Refusal(
          'bad-tree',
          `Rollout ${i} has ${chain.tokens} tokens but ${value.length} ${column}.`,
        );
      }
    }
    let last = -1;
    for (const start of chain.sentenceStarts ?? []) {
      if (!Number.isInteger(start) || start <= last || start >= chain.tokens) {
        throw new Refusal(
          'bad-tree',
          `Rollout ${i} has a sentence at token ${start}, out of order or past its end.`,
        );
      }
      last = start;
    }
    const from = chain.from;
    if (
      from !== undefined &&
      !(from.chain >= 0 && from.chain < i && from.at >= 0 && from.at <= chains[from.chain]!.tokens)
    ) {
      throw new Refusal(
        'bad-tree',
        `Rollout ${i} attaches at token ${from.at} of rollout ${from.chain}, which is not there.`,
      );
    }
  });
}

const WORDS: Readonly<Record<ChainColumn, string>> = {
  entropies: 'the entropy of each token',
  logprobs: 'the log-probability of each sampled token',
  sentenceStarts: 'where sentences begin',
  texts: 'the text of each token',
  success: 'whether it succeeded',
};
