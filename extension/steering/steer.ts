import { randomUUID } from 'node:crypto';
import { window } from 'vscode';
import type { SteeringAnswer } from '../../protocol/wire/steering';
import { t } from '../l10n';
import type { Log } from '../lifecycle';
import type { AttachedRun } from '../runs/runRegistry';
import type { SteerOutcome } from '../session/workerMessages';
import type { Teller } from '../tell';
import { confirmation, type Confirmation } from './wording';
import type { PendingCommands } from './pendingCommands';
import type { SteeringRequest } from './request';

const MAX_REASON = 1024;

export interface SteerDeps {
  readonly pending: PendingCommands;
  readonly tell: Teller;
  readonly author: () => string;
  /** Whether a person is asked before anything is sent. */
  readonly confirms: () => boolean;
  readonly openBudgets: () => void;
  readonly showRecord: () => void;
  readonly log: Log;
}

interface Common {
  readonly commandId: string;
  readonly incarnation: number;
  readonly author: string;
}

/**
 * The way of every steering request: preview from the job, confirmation, then it is sent and "requested". What it
 * did is shown by the job's event, never here.
 */
export class Steering {
  constructor(private readonly deps: SteerDeps) {}

  /** @returns false when a person cancelled it, or the job refused it, it could not be sent, or nobody knows. */
  async steer(run: AttachedRun, request: SteeringRequest): Promise<boolean> {
    const common = {
      commandId: randomUUID(),
      incarnation: run.header.incarnation,
      author: this.deps.author(),
    };
    const asked = await this.ask(run, request, common);
    if (asked === null) return false;
    this.deps.pending.add(common.commandId, actionOf(request), request.subjects);
    const outcome = await send(run, request, { ...common, ...asked });
    const answer = this.answerOf(outcome);
    if ('failure' in outcome && outcome.failure === 'unknown') {
      this.deps.pending.doubt(common.commandId);
      return false;
    }
    if (!answer || answer.state === 'refused') {
      this.deps.pending.remove(common.commandId);
      if (answer) this.tellRefusal(answer);
      return false;
    }
    return true;
  }

  /** The preview and the confirmation; null: not to be sent. */
  private async ask(
    run: AttachedRun,
    request: SteeringRequest,
    common: Common,
  ): Promise<{ readonly reason?: string } | null> {
    if (!this.deps.confirms()) return {};
    const outcome = await send(run, request, { ...common, dryRun: true });
    if ('failure' in outcome && outcome.failure === 'unknown') {
      // A preview changes nothing, also when the job took it.
      this.deps.tell.tell('noPreview', { detail: outcome.detail });
      return null;
    }
    const preview = this.answerOf(outcome);
    if (!preview) return null;
    if (preview.state === 'refused') {
      this.tellRefusal(preview);
      return null;
    }
    const reason = await this.confirm(request, preview, common.author);
    if (reason === null) return null;
    return reason === '' ? {} : { reason };
  }

  /** @returns the reason, '' for none; null when it was cancelled. */
  private async confirm(
    request: SteeringRequest,
    preview: SteeringAnswer,
    author: string,
  ): Promise<string | null> {
    let reason = '';
    for (;;) {
      const words = confirmation(request, preview, { author, reason });
      const chosen = await askModal(words, request.name === 'allocate');
      if (chosen === 'apply') return reason;
      if (chosen === 'cancel') return null;
      if (chosen === 'budgets') {
        this.deps.openBudgets();
        return null;
      }
      reason = (await askReason(reason)) ?? reason;
    }
  }

  private answerOf(outcome: SteerOutcome): SteeringAnswer | null {
    if ('answer' in outcome) return outcome.answer;
    this.deps.tell.tell(`steer.${outcome.failure}`, { detail: outcome.detail });
    return null;
  }

  private tellRefusal({ sentence, refusal }: SteeringAnswer): void {
    this.deps.log.info(`refused (${refusal ?? 'no code'})`);
    const show = t('Record');
    const said = sentence
      .replace(/\s+/g, ' ')
      // The job may say itself what is said below.
      .replace(/(?<=\S )Nothing was changed\. ?$/, '')
      .replace(/[.\s]+$/, '');
    void window
      .showWarningMessage(t('Refused by the job: {0}. Nothing was changed.', said), show)
      .then((chosen) => {
        if (chosen === show) this.deps.showRecord();
      });
  }
}

function send(
  run: AttachedRun,
  request: SteeringRequest,
  common: Common & { readonly reason?: string; readonly dryRun?: boolean },
): Promise<SteerOutcome> {
  // The name and its parameters were put together by `request`.
  return run.client.steer(request.name, { ...request.own, ...common });
}

const actionOf = ({ name }: SteeringRequest): string => (name.startsWith('break.') ? 'break' : name);

async function askModal(
  { question, detail, button }: Confirmation,
  budgets: boolean,
): Promise<'apply' | 'reason' | 'budgets' | 'cancel'> {
  const reason = t('Give a Reason…');
  const show = t('Show in Budgets');
  const buttons = budgets ? [button, reason, show] : [button, reason];
  const chosen = await window.showWarningMessage(question, { modal: true, detail }, ...buttons);
  if (chosen === button) return 'apply';
  if (chosen === reason) return 'reason';
  return chosen === show ? 'budgets' : 'cancel';
}

/** undefined: the box was closed without an answer. */
async function askReason(before: string): Promise<string | undefined> {
  const text = await window.showInputBox({
    ignoreFocusOut: true,
    title: t('Reason'),
    prompt: t('Recorded with the request. Empty: none.'),
    value: before,
    validateInput: (value) =>
      value.length > MAX_REASON ? t('At most {0} characters.', MAX_REASON) : undefined,
  });
  return text?.trim();
}
