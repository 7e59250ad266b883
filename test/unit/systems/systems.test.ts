import { describe, expect, it } from 'vitest';
import { decodeBatch, forEachInOrder } from '../../../protocol/wire/batch';
import { BatchBuilder } from '../../../protocol/wire/batchBuilder';
import { readEvent } from '../../../protocol/wire/readEvent';
import { StringTable } from '../../../protocol/wire/stringTable';
import { EXAMPLES, type Written } from './examples';

/** The systems that the product must be able to show, by their number in the literature list. */
const SYSTEMS =
  '000 001 002 003 004 005 006 007 008 009 010 011 012 013 014 015 016 017 018 019 020 021 022 023 024 025 027 029 031 032 033 034 035 036 037 038 040 043 044 047 048 050 053 054 055 058 059 060 061 062 063 064 065 066 068 070 071 072 074 075 076 078 080 082 083 084 087 088 092 093 095 097 100 101 102 105 106 107 113 114 115 118 119 124 125 126 127 131 136 139 140 144 145 146 152 154 158 159 160 162 165 169 170 171 174 176 177 188 191 192 193 196 197 203 205 208 209 210 211 212 213 214 215 216 218 221 224 225 228 230 232 233 234 235 237 238 241 243 245 249 251 252 253 254 255 256 262 267 268 270 274 276 278 279 281';

const withoutMissing = (fields: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));

const write = (builder: BatchBuilder, [kind, fields]: Written): void => {
  builder.add(kind, 0, fields);
};

describe('the wire', () => {
  it('has an example for every system', () => {
    const shown = new Set(EXAMPLES.flatMap((example) => example.systems.split(' ')));
    expect(SYSTEMS.split(' ').filter((system) => !shown.has(system))).toEqual([]);
  });

  it.each(EXAMPLES.map((example) => [example.what, example] as const))('expresses %s', (_, { events }) => {
    const builder = new BatchBuilder();
    for (const event of events) write(builder, event);
    const strings = new StringTable();
    const batch = decodeBatch(JSON.parse(JSON.stringify(builder.take(0))), strings);
    const read: unknown[] = [];
    forEachInOrder(batch, (kind, row) => {
      const event = readEvent(kind, row, strings);
      read.push([event.kind, event.fields]);
    });
    expect(read).toEqual(events.map(([kind, fields]) => [kind, withoutMissing(fields)]));
  });
});
