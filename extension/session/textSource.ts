import type { TextParams, TextView } from '../../protocol/panels/text';
import { RPC_ERRORS } from '../../protocol/wire/wireError';
import { textPath, textView, type NodeTokens, type PathPiece } from '../../run-store/queries/text';
import type { RunStore } from '../../run-store/runStore';
import { messageOf } from '../lifecycle';
import { RpcError, RpcLost } from './rpcClient';
import type { ModelHost } from './runModel';

/** Where the text of a rollout comes from: the job, or the journal. */
export interface TextSource {
  text(store: RunStore, params: TextParams): Promise<TextView>;
}

/** Tokens that one look asks for at most; a page shows a window and asks again for the next. */
const MAX_WINDOW = 20_000;
const MAX_PIECES = 256;
const PROMPTS_KEPT = 200;

/** Texts of a live run: pulled from the job when somebody looks, never streamed. */
export class JobTexts implements TextSource {
  private readonly prompts = new Map<string, string>();

  constructor(private readonly read: ModelHost['read']) {}

  async text(store: RunStore, params: TextParams): Promise<TextView> {
    const path = textPath(store, { ...params, to: Math.min(params.to, params.from + MAX_WINDOW) });
    if (!path)
      return nothing(params, 'This rollout is no longer in memory. Its step can be read from the journal.');
    const tokens = new Map<string, NodeTokens>();
    let unreachable: string | null = null;
    const answers = await Promise.allSettled([
      this.promptText(path.prompt),
      ...path.pieces.slice(0, MAX_PIECES).map((piece) => this.tokens(piece, tokens)),
    ]);
    for (const answer of answers) {
      if (answer.status === 'rejected') unreachable ??= whyNot(answer.reason);
    }
    const [prompt] = answers;
    const promptText = prompt.status === 'fulfilled' && typeof prompt.value === 'string' ? prompt.value : '';
    return textView(
      path,
      promptText,
      tokens,
      tokens.size > 0 || path.pieces.length === 0 ? null : unreachable,
    );
  }

  private async tokens({ node, at, from, to }: PathPiece, into: Map<string, NodeTokens>): Promise<void> {
    into.set(node, await this.read('tokens', { node, from: at, to: at + to - from }));
  }

  private async promptText(prompt: string): Promise<string> {
    const known = this.prompts.get(prompt);
    if (known !== undefined || prompt === '') return known ?? '';
    const { text } = await this.read('prompt', { prompt });
    const oldest = this.prompts.keys().next();
    if (this.prompts.size >= PROMPTS_KEPT && oldest.done !== true) this.prompts.delete(oldest.value);
    this.prompts.set(prompt, text);
    return text;
  }
}

function whyNot(error: unknown): string {
  if (error instanceof RpcLost)
    return 'The job is not connected: texts come from it when they are looked at.';
  if (error instanceof RpcError) {
    if (error.code === RPC_ERRORS.notFound) return 'The job no longer holds this text.';
    if (error.code === RPC_ERRORS.unsupported || error.code === RPC_ERRORS.methodNotFound) {
      return 'This job sends no texts.';
    }
  }
  return `The text could not be read: ${messageOf(error)}.`;
}

export function nothing({ rollout }: TextParams, missing: string): TextView {
  return { rollout, prompt: '', promptText: '', length: 0, pieces: [], missing };
}
