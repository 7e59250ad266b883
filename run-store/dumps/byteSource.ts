/** A file that is read in pieces; also what the Parquet reader asks for. */
export interface ByteSource {
  /** Name with folders, as far as known: it may say a step. */
  readonly path: string;
  readonly byteLength: number;
  slice(start: number, end?: number): Promise<ArrayBuffer> | ArrayBuffer;
}

/** The last part of a path. */
export const fileName = (path: string): string => /[^/\\]*$/.exec(path)?.[0] ?? path;

/** Bytes in memory as a source. */
export function bytesSource(path: string, bytes: Uint8Array): ByteSource {
  const copy = new Uint8Array(bytes);
  return {
    path,
    byteLength: copy.byteLength,
    slice: (start, end) => copy.buffer.slice(start, end),
  };
}
