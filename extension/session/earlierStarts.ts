import { decodeBatch } from '../../protocol/wire/batch';
import type { InitializeResult } from '../../protocol/wire/handshake';
import type { ReadResult } from '../../protocol/wire/reads';
import { StringTable } from '../../protocol/wire/stringTable';
import { RPC_ERRORS } from '../../protocol/wire/wireError';
import type { EarlierLife } from '../../run-store/earlierLife';
import type { RunStore } from '../../run-store/runStore';
import { messageOf, type Log } from '../lifecycle';
import { RpcError, RpcLost } from './rpcClient';
import type { ModelHost } from './runModel';

/** A pause between pages, at least. It is as long as the page took, so that half of the way stays free. */
const LEAST_PAUSE_MS = 5;

export interface EarlierStartsOptions {
  readonly store: RunStore;
  readonly read: ModelHost['read'];
  readonly wait: (ms: number) => Promise<void>;
  /** Unix ms. */
  readonly now: () => number;
  readonly log: Log;
  readonly onRead: () => void;
}

/**
 * The starts of a run before the present one, read from the job's journal (`readSteps`) in the background: a fresh
 * attachment has heard nothing of them, a lasting one may have missed their end. The newest comes first. What is
 * cut off by a lost connection is taken up when there is one again.
 */
export class EarlierStarts {
  /** Numbers of starts that are whole, or of which the job has no more. */
  private readonly done = new Set<number>();
  private reading: Promise<void> | null = null;

  constructor(private readonly options: EarlierStartsOptions) {}

  /** The stream of the present start runs. Never throws. */
  connected({ incarnation, capabilities }: InitializeResult): void {
    if (!capabilities.includes('read.steps')) return;
    this.reading ??= this.readAll(incarnation.number).finally(() => {
      this.reading = null;
    });
  }

  private async readAll(present: number): Promise<void> {
    const { log, onRead } = this.options;
    for (let number = present - 1; number > 0; number--) {
      if (this.done.has(number)) continue;
      try {
        await this.readOne(number);
        onRead();
      } catch (error) {
        const cut = error instanceof RpcLost;
        log[cut ? 'info' : 'warn'](`start ${number} could not be read: ${messageOf(error)}`);
        if (cut) return;
      }
      this.done.add(number);
    }
  }

  private async readOne(number: number): Promise<void> {
    const held = this.options.store.incarnations.find(({ start }) => start.number === number);
    let life = held ? this.options.store.readEarlier(held.start, held.strings) : null;
    try {
      for await (const page of this.pages(number, held?.current?.number ?? 0)) {
        life ??= this.begin(page);
        for (const raw of page.batches) life.apply(decodeBatch(raw, life.strings));
      }
    } catch (error) {
      life?.abandon();
      // A job that keeps no journal of that start has nothing to tell.
      if (error instanceof RpcError && error.code === RPC_ERRORS.notFound) return;
      throw error;
    }
    life?.finish();
  }

  private begin({ start }: ReadResult<'readSteps'>): EarlierLife {
    if (!start) throw new Error('the job does not say when it began');
    const { incarnation, ...rest } = start;
    return this.options.store.readEarlier({ ...incarnation, ...rest }, new StringTable());
  }

  private async *pages(incarnation: number, from: number): AsyncGenerator<ReadResult<'readSteps'>> {
    const { read, wait, now } = this.options;
    const to = Number.MAX_SAFE_INTEGER;
    let cursor: string | null = null;
    do {
      const asked = now();
      const page: ReadResult<'readSteps'> = await read('readSteps', {
        incarnation,
        from,
        to,
        ...(cursor === null ? {} : { cursor }),
      });
      const took = now() - asked;
      yield page;
      cursor = page.next;
      if (cursor !== null) await wait(Math.max(LEAST_PAUSE_MS, took));
    } while (cursor !== null);
  }
}
