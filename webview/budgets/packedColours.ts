import type { Palette } from '../shared/palette';

/** Colours as the 32 bits of a picture's pixel. */
export interface PackedColours {
  readonly sequential: Uint32Array;
  readonly cell: number;
  readonly ground: number;
  readonly text: number;
}

const known = new WeakMap<Palette, PackedColours>();

/** Lets the browser read each colour once for each palette, whatever notation it came in. */
export const packedColours = (palette: Palette): PackedColours => {
  let packed = known.get(palette);
  if (!packed) {
    const canvas = document.createElement('canvas');
    canvas.width = 1;
    canvas.height = 1;
    const context = canvas.getContext('2d', { willReadFrequently: true });
    const pack = (colour: string): number => {
      if (!context) return 0xff808080;
      context.fillStyle = palette.ground;
      context.fillRect(0, 0, 1, 1);
      context.fillStyle = colour;
      context.fillRect(0, 0, 1, 1);
      return new Uint32Array(context.getImageData(0, 0, 1, 1).data.buffer)[0] ?? 0;
    };
    packed = {
      sequential: Uint32Array.from(palette.sequential, pack),
      cell: pack(palette.cell),
      ground: pack(palette.ground),
      text: pack(palette.text),
    };
    known.set(palette, packed);
  }
  return packed;
};
