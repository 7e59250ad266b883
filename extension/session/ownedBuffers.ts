/**
 * Buffers of the typed arrays in `data`, to be transferred to another thread instead of copied. A typed array
 * that is a window on a larger buffer is replaced by a copy of its own: a transfer would take the whole buffer,
 * and the other end would carry all of it.
 */
export function ownBuffers(data: unknown): { readonly data: unknown; readonly buffers: ArrayBuffer[] } {
  const buffers = new Set<ArrayBuffer>();
  const owned = own(data, buffers);
  return { data: owned, buffers: [...buffers] };
}

type Numbers = ArrayBufferView & { slice(): ArrayBufferView };
const isNumbers = (value: object): value is Numbers => ArrayBuffer.isView(value) && 'slice' in value;

function own(value: unknown, buffers: Set<ArrayBuffer>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (isNumbers(value)) {
    // The same buffer twice: the first transfer would empty the second array.
    const whole = value.byteLength === value.buffer.byteLength && value.buffer instanceof ArrayBuffer;
    const exact = whole && !buffers.has(value.buffer) ? value : value.slice();
    if (exact.buffer instanceof ArrayBuffer) buffers.add(exact.buffer);
    return exact;
  }
  if (Array.isArray(value)) {
    if (typeof value[0] !== 'object' || value[0] === null) return value as unknown[];
    return value.map((item) => own(item, buffers));
  }
  const out: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value)) out[key] = own(inner, buffers);
  return out;
}
