/** A file that is read in pieces; also what the Parquet reader asks for. */
export interface ByteSource {
  /** Name with folders, as far as known: it may say a step. */
  readonly path: string;
  readonly byteLength: number;
  slice(start: number, end?: number): Promise<ArrayBuffer> | ArrayBuffer;
}

/** The last part of a path. */
export const fileName = (path: string): string => /[^/\\]*$/.exec(path)?.[0] ?? path;

/** A name for several files together. */
export function sourcesName(paths: readonly string[]): string {
  const [first = ''] = paths;
  return paths.length === 1 ? fileName(first) : `${fileName(first)} + ${paths.length - 1}`;
}

/** Bytes in memory as a source. */
export function bytesSource(path: string, bytes: Uint8Array): ByteSource {
  const copy = new Uint8Array(bytes);
  return {
    path,
    byteLength: copy.byteLength,
    slice: (start, end) => copy.buffer.slice(start, end),
  };
}
