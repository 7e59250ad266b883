/**
 * Reads batches, one a line, from standard input as a reader of this protocol would, and prints each event with its
 * fields by name. An empty line ends a stream: it is answered by one, and a new string table begins. The bridge's
 * tests hold its batches against it.
 */
import { createInterface } from 'node:readline';
import { decodeBatch, forEachInOrder } from '../../protocol/wire/batch';
import { readEvent } from '../../protocol/wire/readEvent';
import { StringTable } from '../../protocol/wire/stringTable';

let strings = new StringTable();
const special = (_: string, value: unknown): unknown =>
  typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;

function take(line: string): void {
  if (line === '') {
    strings = new StringTable();
    console.log('');
    return;
  }
  try {
    const batch = decodeBatch(JSON.parse(line), strings);
    forEachInOrder(batch, (kind, row) => console.log(JSON.stringify(readEvent(kind, row, strings), special)));
  } catch (error) {
    console.log(JSON.stringify({ error: String(error) }));
  }
}

createInterface({ input: process.stdin, crlfDelay: Infinity }).on('line', take);
