import type { StringTable } from '../../protocol/wire/stringTable';
import { NONE } from './chunks';

const SLOTS = 256;

/** Remembers what was last made of a handle. Words come back all the time, so that few slots suffice. */
abstract class HandleCodes {
  private readonly keys = new Int32Array(SLOTS).fill(NONE);
  private readonly codes = new Int32Array(SLOTS);

  constructor(private readonly strings: StringTable) {}

  /** The code of a handle; `missing` for −1. */
  get(handle: number, missing: number): number {
    if (handle < 0) return missing;
    const slot = handle & (SLOTS - 1);
    if (this.keys[slot] === handle) return this.codes[slot]!;
    const code = this.encode(this.strings.get(handle) ?? '');
    this.keys[slot] = handle;
    this.codes[slot] = code;
    return code;
  }

  protected abstract encode(text: string): number;
}

/** Handles of a closed list's words → index in the list; an unknown word gives the list's length, read as "other". */
export class WordCodes extends HandleCodes {
  private readonly byWord: ReadonlyMap<string, number>;
  private readonly other: number;

  constructor(strings: StringTable, list: readonly string[]) {
    super(strings);
    this.byWord = new Map(list.map((word, code) => [word, code]));
    this.other = list.length;
  }

  protected encode(text: string): number {
    return this.byWord.get(text) ?? this.other;
  }
}

const MOST = 65_535;

/** Small codes for open words of a run (workers, tools, agents, reasons): 0 is none, the last one means too many. */
export class Dictionary {
  private readonly codes = new Map<string, number>();
  private readonly texts: string[] = [''];

  code(text: string): number {
    let code = this.codes.get(text);
    if (code === undefined) {
      if (this.texts.length >= MOST) return MOST;
      code = this.texts.length;
      this.texts.push(text);
      this.codes.set(text, code);
    }
    return code;
  }

  text(code: number): string | null {
    return code === 0 ? null : (this.texts[code] ?? 'other');
  }
}

/** Handles of one incarnation → codes of the run's dictionary. */
export class OpenCodes extends HandleCodes {
  constructor(
    strings: StringTable,
    private readonly dictionary: Dictionary,
  ) {
    super(strings);
  }

  protected encode(text: string): number {
    return this.dictionary.code(text);
  }
}
