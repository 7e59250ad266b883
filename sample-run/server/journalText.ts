import type { TextRecord } from '../../protocol/journal/format';
import { listSegments, readBatches, readHead, readIndex, readText } from './journalFolder';

/**
 * Text of a node by reading the journal from the step that opened it on. The node closes in that step or, as a
 * probe, soon after; the search ends with the segment in which the step was opened and the one after it.
 */
export async function findText(
  folder: string,
  incarnation: number,
  step: number,
  node: string,
): Promise<TextRecord | null> {
  const segments = await listSegments(folder, incarnation);
  for (const [i, segment] of segments.entries()) {
    const line = (await readIndex(folder, incarnation, segment)).find((entry) => entry.step === step);
    if (!line) continue;
    return (
      (await findIn(folder, incarnation, segment, line.offset, node)) ??
      (segments[i + 1] === undefined ? null : await findIn(folder, incarnation, segments[i + 1]!, 0, node))
    );
  }
  return null;
}

async function findIn(
  folder: string,
  incarnation: number,
  segment: number,
  from: number,
  node: string,
): Promise<TextRecord | null> {
  let handle = (await readHead(folder, incarnation, segment)).strings.indexOf(node);
  for await (const { batch, next } of readBatches(folder, incarnation, segment, 0)) {
    const inPiece = batch.strings?.values.indexOf(node) ?? -1;
    if (batch.strings && inPiece >= 0) handle = batch.strings.from + inPiece;
    const closed = batch.events['nodeClosed'];
    if (next <= from || handle < 0 || !closed) continue;
    const row = closed['node']?.indexOf(handle) ?? -1;
    if (row < 0) continue;
    const offset = closed['textOffset']?.[row];
    const bytes = closed['textBytes']?.[row];
    if (typeof offset !== 'number' || typeof bytes !== 'number') return null;
    return readText(folder, incarnation, { segment, offset, bytes });
  }
  return null;
}
