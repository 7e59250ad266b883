import type { ReadResult } from '../../protocol/wire/reads';
import type { Subject } from '../../protocol/wire/values';
import type { Publisher } from '../server/publisher';
import type { IdMaker } from './ids';
import type { DecisionDraft } from './decisionDrafts';

type DecisionRow = ReadResult<'decisions'>['decisions'][number];

interface Kept {
  readonly id: string;
  readonly step: number;
  readonly draft: DecisionDraft;
}

/** Decisions kept in memory for the request `decisions`. */
const KEPT = 4096;

/** Gives decisions their ids, publishes them, and finds them again by what they are about. */
export class DecisionLog {
  private readonly bySubject = new Map<string, Kept[]>();
  private readonly kept: Kept[] = [];
  private step = -1;
  private index = 0;

  constructor(
    private readonly publisher: Publisher,
    private readonly ids: IdMaker,
  ) {}

  /** @returns its id. */
  record(step: number, draft: DecisionDraft): string {
    if (step !== this.step) {
      this.step = step;
      this.index = 0;
    }
    const id = this.ids.decision(step, ++this.index);
    this.publisher.add('decision', {
      decision: id,
      kind: draft.kind,
      method: draft.method,
      step,
      command: draft.command,
      sentence: draft.sentence,
      body: draft.body,
    });
    this.keep({ id, step, draft });
    return id;
  }

  /** Newest first. */
  about(subject: Subject, limit: number): DecisionRow[] {
    const found = this.bySubject.get(`${subject.type} ${subject.id}`) ?? [];
    return found
      .slice(-limit)
      .reverse()
      .map(({ id, step, draft }) => {
        const row = draft.body.subjects.ids.indexOf(subject.id);
        const columns = { ...draft.body.inputs, ...draft.body.outcome, ...draft.body.numbers };
        return {
          decision: id,
          kind: draft.kind,
          method: draft.method,
          step,
          sentence: draft.body.reasons?.[row] ?? draft.sentence,
          columns: Object.fromEntries(
            Object.entries(columns).map(([name, cells]) => [name, [cells[row] ?? null]]),
          ),
        };
      });
  }

  private keep(decision: Kept): void {
    this.kept.push(decision);
    for (const key of keysOf(decision)) {
      const list = this.bySubject.get(key);
      if (list) list.push(decision);
      else this.bySubject.set(key, [decision]);
    }
    if (this.kept.length <= KEPT) return;
    const oldest = this.kept.shift();
    for (const key of oldest ? keysOf(oldest) : []) {
      const list = this.bySubject.get(key);
      list?.shift();
      if (list?.length === 0) this.bySubject.delete(key);
    }
  }
}

const keysOf = ({ draft }: Kept): string[] => {
  const { type, ids } = draft.body.subjects;
  return ids.map((id) => `${type} ${id}`);
};
