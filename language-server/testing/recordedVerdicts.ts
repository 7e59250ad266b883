import { readFileSync } from 'node:fs';
import { array, isRecord, record, textOf } from '../json/jsonShape';

/** What a real TRL 1.13.0 said about one config text. Source: test/vectors/configs/trl-verdicts-*.json. */
export interface RecordedVerdict {
  readonly id: string;
  readonly yaml: string;
  /** Number of processes. */
  readonly processes: number;
  /** Null: accepted. */
  readonly script: RecordedError | null;
  readonly strict: RecordedError | null;
  readonly cli: RecordedError | null;
  readonly unknown: readonly string[];
  readonly deprecated: readonly string[];
  readonly resolved: Readonly<Record<string, unknown>>;
  readonly batch: Readonly<Record<string, unknown>> | null;
}

export interface RecordedError {
  readonly code: string;
  readonly about: readonly string[];
  /** Line from 1; YAML errors only. */
  readonly line: number | null;
}

export function readVectorFile(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`../../test/vectors/configs/${name}`, import.meta.url), 'utf8'));
}

export function vectorCases(name: string): Readonly<Record<string, unknown>>[] {
  return array(record(readVectorFile(name), name)['cases'], name).map((each) => record(each, name));
}

export function recordedVerdicts(): RecordedVerdict[] {
  return ['trl-verdicts-1.json', 'trl-verdicts-2.json'].flatMap(vectorCases).map((each) => {
    const id = textOf(each['id'], 'id');
    const script = errorOf(each['script']);
    return {
      id,
      yaml: textOf(each['yaml'], id),
      processes: Number(each['W']),
      script,
      strict: each['strict'] === undefined ? script : errorOf(each['strict']),
      cli: each['cli'] === undefined ? script : errorOf(each['cli']),
      unknown: texts(each['unknown']),
      deprecated: texts(each['deprecated']),
      resolved: isRecord(each['resolved']) ? each['resolved'] : {},
      batch: isRecord(each['batch']) ? each['batch'] : null,
    };
  });
}

function errorOf(verdict: unknown): RecordedError | null {
  if (verdict === 'accepted') return null;
  const error = record(verdict, 'verdict');
  const place = error['at'];
  const about = array(error['about'], 'about').map(String);
  return { code: textOf(error['code'], 'code'), about, line: Array.isArray(place) ? Number(place[0]) : null };
}

function texts(json: unknown): string[] {
  return json === undefined ? [] : array(json, 'texts').map(String);
}
