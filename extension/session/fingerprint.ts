/** Keys that change with every event and are no news by themselves. */
const IGNORED = new Set(['seq']);

/**
 * A 53-bit hash of plain data and typed arrays: equal data has equal fingerprints. It spares a panel pictures
 * that say what the last one said. Two multiplicative lanes (after the public-domain cyrb53).
 */
export function fingerprint(data: unknown): number {
  const hash = new Hash();
  hash.value(data);
  return hash.digest();
}

class Hash {
  private a = 0xdeadbeef;
  private b = 0x41c6ce57;
  private readonly number = new Float64Array(1);
  private readonly bits = new Uint32Array(this.number.buffer);

  value(value: unknown): void {
    switch (typeof value) {
      case 'number':
        this.number[0] = value;
        this.word(this.bits[0]!);
        this.word(this.bits[1]!);
        break;
      case 'string':
        this.text(value);
        break;
      case 'boolean':
        this.word(value ? 1 : 2);
        break;
      case 'object':
        this.object(value);
        break;
      default:
        this.word(3);
    }
  }

  digest(): number {
    let { a, b } = this;
    a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
    b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
    return 4294967296 * (2097151 & b) + (a >>> 0);
  }

  private word(word: number): void {
    this.a = Math.imul(this.a ^ word, 2654435761);
    this.b = Math.imul(this.b ^ word, 1597334677);
    // Without turning, high bits would never reach the low ones.
    this.a ^= this.a >>> 15;
    this.b ^= this.b >>> 13;
  }

  private text(text: string): void {
    this.word(text.length);
    for (let i = 0; i < text.length; i++) this.word(text.charCodeAt(i));
  }

  private object(value: object | null): void {
    if (value === null) {
      this.word(5);
    } else if (ArrayBuffer.isView(value)) {
      this.view(value);
    } else if (Array.isArray(value)) {
      this.word(value.length);
      for (const item of value) this.value(item);
    } else {
      for (const [key, inner] of Object.entries(value)) {
        if (IGNORED.has(key)) continue;
        this.text(key);
        this.value(inner);
      }
      this.word(7);
    }
  }

  private view(view: ArrayBufferView): void {
    this.word(view.byteLength);
    const words = view.byteOffset % 4 === 0 ? view.byteLength >> 2 : 0;
    for (const word of new Uint32Array(view.buffer, words === 0 ? 0 : view.byteOffset, words))
      this.word(word);
    const rest = new Uint8Array(view.buffer, view.byteOffset + words * 4, view.byteLength - words * 4);
    for (const byte of rest) this.word(byte);
  }
}
