import type { FindingBody } from '../../protocol/wire/values';
import type { Publisher } from '../server/publisher';

/** The job’s own findings: each is open until it is closed by its id. */
export class Findings {
  private readonly open = new Map<string, FindingBody>();

  constructor(private readonly publisher: Publisher) {}

  /** Opens a finding, or says anew what an open one is about. */
  raise(id: string, step: number, body: FindingBody): void {
    this.open.set(id, body);
    this.publisher.add('finding', { finding: id, open: true, step, body });
  }

  close(id: string, step: number): void {
    const body = this.open.get(id);
    if (!body) return;
    this.open.delete(id);
    this.publisher.add('finding', { finding: id, open: false, step, body });
  }
}
