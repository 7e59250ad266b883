/** Draws the marketplace icon, media/icon.png: a rollout that forks into a solved, an unsolved and a cut one. */
import { writeFileSync } from 'node:fs';
import { crc32, deflateSync } from 'node:zlib';

const SIZE = 256;
const SAMPLES = 4;
const GROUND = [30, 27, 46];
const INK = [236, 232, 250];
const ACCENT = [148, 121, 218];
const WARM = [240, 160, 75];

/** Distance of a point to a segment, in the icon's own units (24 × 24). */
const toSegment = (x, y, [x1, y1, x2, y2]) => {
  const dx = x2 - x1;
  const dy = y2 - y1;
  const along = Math.max(0, Math.min(1, ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy)));
  return Math.hypot(x - x1 - along * dx, y - y1 - along * dy);
};
const stroke = (segment, width) => (x, y) => toSegment(x, y, segment) <= width / 2;
const disc = (cx, cy, r) => (x, y) => Math.hypot(x - cx, y - cy) <= r;
const ring = (cx, cy, r, width) => (x, y) => Math.abs(Math.hypot(x - cx, y - cy) - r) <= width / 2;

/** Later shapes lie over earlier ones. */
const SHAPES = [
  [ACCENT, stroke([4, 12, 9.5, 12], 1.7)],
  [ACCENT, stroke([9.5, 5.5, 9.5, 18.5], 1.7)],
  [ACCENT, stroke([9.5, 5.5, 14, 5.5], 1.7)],
  [ACCENT, stroke([9.5, 12, 14, 12], 1.7)],
  [ACCENT, stroke([9.5, 18.5, 14, 18.5], 1.7)],
  [INK, disc(17.4, 5.5, 2.4)],
  [INK, ring(17.4, 12, 1.75, 1.3)],
  [WARM, stroke([15.6, 16.7, 19.2, 20.3], 1.6)],
  [WARM, stroke([19.2, 16.7, 15.6, 20.3], 1.6)],
];
const CORNER = 4.5;

/** Inside the rounded square. */
const inGround = (x, y) => {
  const dx = Math.max(CORNER - x, x - (24 - CORNER), 0);
  const dy = Math.max(CORNER - y, y - (24 - CORNER), 0);
  return Math.hypot(dx, dy) <= CORNER;
};

const colourAt = (x, y) => {
  if (!inGround(x, y)) return null;
  for (let i = SHAPES.length - 1; i >= 0; i--) if (SHAPES[i][1](x, y)) return SHAPES[i][0];
  return GROUND;
};

const rows = Buffer.alloc(SIZE * (1 + SIZE * 4));
for (let py = 0; py < SIZE; py++) {
  for (let px = 0; px < SIZE; px++) {
    const sum = [0, 0, 0];
    let inside = 0;
    for (let s = 0; s < SAMPLES * SAMPLES; s++) {
      const x = ((px + ((s % SAMPLES) + 0.5) / SAMPLES) / SIZE) * 24;
      const y = ((py + (Math.floor(s / SAMPLES) + 0.5) / SAMPLES) / SIZE) * 24;
      const colour = colourAt(x, y);
      if (!colour) continue;
      inside++;
      for (let c = 0; c < 3; c++) sum[c] += colour[c];
    }
    const at = py * (1 + SIZE * 4) + 1 + px * 4;
    for (let c = 0; c < 3; c++) rows[at + c] = inside === 0 ? 0 : Math.round(sum[c] / inside);
    rows[at + 3] = Math.round((255 * inside) / (SAMPLES * SAMPLES));
  }
}

const chunk = (type, data) => {
  const out = Buffer.alloc(12 + data.length);
  out.writeUInt32BE(data.length, 0);
  out.write(type, 4, 'latin1');
  data.copy(out, 8);
  out.writeUInt32BE(crc32(out.subarray(4, 8 + data.length)), 8 + data.length);
  return out;
};
const head = Buffer.alloc(13);
head.writeUInt32BE(SIZE, 0);
head.writeUInt32BE(SIZE, 4);
head.set([8, 6, 0, 0, 0], 8);
writeFileSync(
  new URL('icon.png', import.meta.url),
  Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]),
);
