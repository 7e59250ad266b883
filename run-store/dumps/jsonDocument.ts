import { fieldOf } from '../journal/json';
import type { ByteSource } from './byteSource';
import { formatOf, rowsDump, unknownFields, type Dump } from './dump';
import { DumpError, EXPECTED } from './dumpError';
import { isFields, type Fields } from './fields';
import { lmEvalSamples, readLmEvalSample } from './formats/lmEval';
import { inspectHeader } from './formats/inspect';
import { inspectDump } from './inspectDump';
import type { Row, RowFormat, Unusable } from './measured';
import { parseLenient } from './rows/lenientJson';

/** A document is parsed at once: more would not fit into one text. */
const MOST_BYTES = 400 << 20;
/** Keys under which tools put a list of rows. */
const LISTS = ['samples', 'prompts', 'problems', 'results', 'rows', 'data', 'items'] as const;

/** One JSON document: an Inspect log, results with samples, a list of rows, or a map of prompts. */
export async function jsonDocument(source: ByteSource): Promise<Dump> {
  if (source.byteLength > MOST_BYTES) {
    throw new DumpError(
      'One JSON document of more than 400 MB is not read.',
      'Write it as JSON lines, or as .eval: those are read in pieces.',
    );
  }
  const bytes = new Uint8Array(await source.slice(0, source.byteLength));
  const value = parseLenient(new TextDecoder().decode(bytes));
  if (value === undefined) {
    throw new DumpError(
      'The file begins like JSON, but is not: it may be cut off.',
      'Copy it again. ' + EXPECTED,
    );
  }
  if (Array.isArray(value)) return listDump(source, value);
  if (!isFields(value)) throw new DumpError('The file holds one JSON value and no results.', EXPECTED);
  const header = inspectHeader(value);
  if (header !== null) {
    const samples = fieldOf(value, 'samples');
    if (!Array.isArray(samples)) {
      throw new DumpError(
        `The Inspect log of ${header.task} holds no samples.`,
        'It was written without them, or only its header was: open the log that has them.',
      );
    }
    return inspectDump(header, samples);
  }
  if (isLmEvalResults(value)) return lmEvalDump(value);
  const row = formatOf(value);
  if (row !== null) return listDump(source, [value]);
  for (const name of LISTS) {
    const list = fieldOf(value, name);
    if (Array.isArray(list)) return listDump(source, list);
  }
  return mapDump(source, value);
}

function listDump(source: ByteSource, list: readonly unknown[]): Dump {
  const first = list.find(isFields);
  if (first === undefined) throw new DumpError('The JSON list holds no objects.', EXPECTED);
  const format = list
    .filter(isFields)
    .slice(0, 20)
    .map(formatOf)
    .find((one) => one !== null);
  if (format === undefined) throw unknownFields('list', Object.keys(first));
  return rowsOf(format, source.path, list, (i) => `item ${i + 1}`);
}

function rowsOf(
  format: RowFormat,
  path: string,
  list: readonly unknown[],
  placeOf: (i: number) => string,
): Dump {
  return rowsDump(format, path, async function* () {
    const rows: Row[] = [];
    const unusable: Unusable[] = [];
    list.forEach((fields, i) => {
      const place = placeOf(i);
      if (isFields(fields)) rows.push({ place, fields });
      else unusable.push({ place, why: 'not an object' });
    });
    yield { rows, unusable, share: 1 };
  });
}

/** {prompt: {n, c}}, or {prompt: [true, false, …]}. */
function mapDump(source: ByteSource, value: Fields): Dump {
  const entries = Object.entries(value);
  const rows = entries.map(([prompt, one]): unknown => {
    if (Array.isArray(one)) return { prompt_id: prompt, results: one };
    return isFields(one) ? { prompt_id: prompt, ...one } : one;
  });
  const format = rows
    .filter(isFields)
    .slice(0, 20)
    .map(formatOf)
    .find((one) => one !== null);
  if (format === undefined) {
    throw unknownFields(
      'JSON document',
      entries.map(([name]) => name),
    );
  }
  return rowsOf(format, source.path, rows, (i) => `entry ${entries[i]![0].slice(0, 80)}`);
}

const isLmEvalResults = (value: Fields): boolean =>
  isFields(value['results']) && (isFields(value['configs']) || isFields(value['versions']));

/** Results of lm-evaluation-harness hold samples only when they were kept in memory with them. */
function lmEvalDump(value: Fields): Dump {
  const samples = value['samples'];
  if (!isFields(samples)) {
    const tasks = Object.keys(isFields(value['results']) ? value['results'] : {}).slice(0, 5);
    throw new DumpError(
      `These are results of lm-evaluation-harness for ${tasks.join(', ') || 'no task'}: averages, from which n and c of single prompts do not follow.`,
      'Open the samples_TASK_….jsonl that lie beside them; they are written with --log_samples.',
    );
  }
  const rows = Object.entries(samples).flatMap(([task, list]) =>
    (Array.isArray(list) ? list : []).map((fields: unknown) => ({ task, fields })),
  );
  return {
    format: lmEvalSamples,
    notes: [],
    async *pieces() {
      const unusable: Unusable[] = [];
      let used = 0;
      const measured = rows.flatMap(({ task, fields }, i) => {
        const read = isFields(fields) ? readLmEvalSample(fields, task) : 'not an object';
        if (typeof read === 'string') {
          unusable.push({ place: `sample ${i + 1} (${task})`, why: read });
          return [];
        }
        used += 1;
        return [...read];
      });
      yield { measured, used, unusable, share: 1 };
    },
  };
}
