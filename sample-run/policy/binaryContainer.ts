/**
 * A file of float arrays behind a JSON header, little-endian: four letters of magic, the length of the
 * header (uint32), the header (UTF-8 JSON), the checksum of the arrays (uint32), the float32 arrays.
 */
export interface ContainerContent {
  readonly header: unknown;
  readonly arrays: readonly Float32Array[];
  /** FNV-1a of the bytes of the arrays, eight hexadecimal digits. */
  readonly checksum: string;
}

const MAGIC_LENGTH = 4;

export function writeContainer(magic: string, header: object, arrays: readonly Float32Array[]): Uint8Array {
  const text = new TextEncoder().encode(JSON.stringify(header));
  const floats = arrays.reduce((sum, array) => sum + array.length, 0);
  const payload = MAGIC_LENGTH + 4 + text.length + 4;
  const bytes = new Uint8Array(payload + 4 * floats);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < MAGIC_LENGTH; i++) bytes[i] = magic.charCodeAt(i);
  view.setUint32(MAGIC_LENGTH, text.length, true);
  bytes.set(text, MAGIC_LENGTH + 4);
  let at = payload;
  for (const array of arrays) {
    for (const value of array) {
      view.setFloat32(at, value, true);
      at += 4;
    }
  }
  view.setUint32(payload - 4, fnv1a(bytes, payload), true);
  return bytes;
}

/**
 * Reads what writeContainer() wrote.
 * @param what names the file in an error, for example "weights file"
 * @param lengths of the arrays, from the header; throws when the header is not what the caller needs
 */
export function readContainer(
  bytes: Uint8Array,
  magic: string,
  what: string,
  lengths: (header: unknown) => readonly number[],
): ContainerContent {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const fail = (reason: string): never => {
    throw new Error(`This is not a usable ${what}: ${reason} Make it again or take another copy.`);
  };
  const letters = String.fromCharCode(...bytes.subarray(0, MAGIC_LENGTH));
  if (letters !== magic) fail(`it begins with other bytes than "${magic}".`);
  const headerLength = bytes.length >= MAGIC_LENGTH + 4 ? view.getUint32(MAGIC_LENGTH, true) : 0;
  const payload = MAGIC_LENGTH + 4 + headerLength + 4;
  if (headerLength === 0 || bytes.length < payload) fail('it is cut off in the header.');
  const header = parseHeader(bytes.subarray(MAGIC_LENGTH + 4, payload - 4), fail);
  const sizes = lengths(header);
  const floats = sizes.reduce((sum, size) => sum + size, 0);
  if (bytes.length !== payload + 4 * floats) {
    fail(`it has ${bytes.length} bytes, and its header promises ${payload + 4 * floats}.`);
  }
  const checksum = fnv1a(bytes, payload);
  if (checksum !== view.getUint32(payload - 4, true)) fail('its checksum is wrong, so it is damaged.');
  let at = payload;
  const arrays = sizes.map((size) => {
    const array = new Float32Array(size);
    for (let i = 0; i < size; i++) {
      array[i] = view.getFloat32(at, true);
      at += 4;
    }
    return array;
  });
  return { header, arrays, checksum: checksum.toString(16).padStart(8, '0') };
}

function parseHeader(bytes: Uint8Array, fail: (reason: string) => never): unknown {
  try {
    const header: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return header;
  } catch {
    return fail('its header is not JSON.');
  }
}

/** 32-bit FNV-1a (Fowler, Noll, Vo) of the bytes from `start` on. */
function fnv1a(bytes: Uint8Array, start: number): number {
  let hash = 0x811c9dc5;
  for (let i = start; i < bytes.length; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193);
  return hash >>> 0;
}
