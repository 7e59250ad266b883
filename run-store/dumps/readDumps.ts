import { fileName, type ByteSource } from './byteSource';
import { DumpError } from './dumpError';
import { stepOfPath } from './fields';
import type { Unusable } from './measured';
import { Measurements } from './measurements';
import { recognise } from './recognise';

/** Unusable lines that are named; more are counted. */
const NAMED = 100;

export interface DumpsRead {
  readonly measurements: Measurements;
  /** Kinds of the files that were read. */
  readonly formats: readonly string[];
  /** Rows or samples in all files: used + unusable. */
  readonly rows: number;
  readonly used: number;
  readonly unusable: number;
  /** The first of them, with file and place. */
  readonly named: readonly Unusable[];
  readonly notes: readonly string[];
}

export interface ReadDumpsOptions {
  readonly signal?: AbortSignal;
  /** Share of all bytes, 0 to 1. */
  readonly onProgress?: (share: number) => void;
}

/**
 * Reads files of results, of whatever known kinds. A row says its step, or the path of its file does; else files are
 * numbered in the order in which they are given, so that two of one set are two measurements and never pooled.
 *
 * Throws a DumpError for the first file that is of no known kind or gives not one usable row, and the signal’s reason.
 */
export async function readDumps(
  sources: readonly ByteSource[],
  { signal, onProgress }: ReadDumpsOptions = {},
): Promise<DumpsRead> {
  const measurements = new Measurements();
  const formats = new Set<string>();
  const notes = new Set<string>();
  const named: Unusable[] = [];
  const total = sources.reduce((sum, { byteLength }) => sum + byteLength, 0);
  let before = 0;
  let used = 0;
  let unusable = 0;
  for (const [index, source] of sources.entries()) {
    const name = fileName(source.path);
    const where = sources.length > 1 ? `${name}: ` : '';
    const step = stepOfPath(source.path) ?? index;
    try {
      const dump = await recognise(source);
      formats.add(dump.format.name);
      for (const note of dump.notes) notes.add(`${where}${note}`);
      let ofFile = 0;
      let first: Unusable | undefined;
      let saysNoStep = false;
      for await (const piece of dump.pieces(signal)) {
        for (const measured of piece.measured) {
          measurements.add(measured, dump.format, step);
          if (measured.note !== undefined) notes.add(`${where}${measured.note}`);
          if (measured.step === null) saysNoStep = true;
        }
        ofFile += piece.used;
        unusable += piece.unusable.length;
        first ??= piece.unusable[0];
        for (const { place, why } of piece.unusable.slice(0, NAMED - named.length)) {
          named.push({ place: `${where}${place}`, why });
        }
        onProgress?.(total === 0 ? 1 : (before + piece.share * source.byteLength) / total);
      }
      if (ofFile === 0) {
        const reason = first === undefined ? 'it has no rows' : `${first.place}: ${first.why}`;
        throw new DumpError(
          `The ${dump.format.name} holds no usable row (${reason}).`,
          'Choose another file.',
        );
      }
      used += ofFile;
      if (saysNoStep && sources.length > 1) notes.add(`${name} is shown as step ${step}`);
    } catch (error) {
      if (!(error instanceof DumpError) || sources.length === 1) throw error;
      throw new DumpError(`${name}: ${error.what}`, error.whatToDo);
    }
    before += source.byteLength;
  }
  return {
    measurements,
    formats: [...formats],
    rows: used + unusable,
    used,
    unusable,
    named,
    notes: [...notes],
  };
}
