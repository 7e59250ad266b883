import { describe, expect, it } from 'vitest';
import { decodeBatch, forEachInOrder } from '../../protocol/wire/batch';
import { readEvent } from '../../protocol/wire/readEvent';
import { StringTable } from '../../protocol/wire/stringTable';
import { ClientStream } from './clientStream';
import { Publisher } from './publisher';
import { ManualClock } from './manualClock';

function make(holdBytes?: number) {
  const publisher = new Publisher({
    clock: new ManualClock(),
    flushMs: 1e6,
    ...(holdBytes === undefined ? {} : { holdBytes }),
  });
  const grow = (node: string, times: number): void => {
    for (let i = 1; i <= times; i++) publisher.add('nodeUpdated', { node, length: i });
    publisher.flush();
  };
  return { publisher, grow };
}

/** A client that takes everything in and remembers it. */
class Reader {
  waiting = 0;
  readonly strings = new StringTable();
  readonly events: { kind: string; seq: number; fields: Record<string, unknown> }[] = [];
  last = 0;

  constructor(after = 0) {
    this.last = after;
  }

  send(text: string): void {
    const { params } = JSON.parse(text) as { params: unknown };
    const batch = decodeBatch(params, this.strings);
    expect(batch.from).toBe(this.last + 1);
    this.last = batch.to;
    forEachInOrder(batch, (kind, row) => this.events.push(readEvent(kind, row, this.strings)));
  }
}

const LIMITS = { windowEvents: 100, highWater: 1000, joinBytes: 1e6 };

describe('the stream of a client', () => {
  it('brings everything to a client that keeps up', () => {
    const { publisher, grow } = make();
    const reader = new Reader();
    const stream = new ClientStream(publisher, reader, 0, 0, null, LIMITS);
    for (let i = 0; i < 20; i++) {
      grow('a', 50);
      stream.pump();
      stream.ack(reader.last);
    }
    expect(reader.events).toHaveLength(1000);
    expect(reader.events.some((event) => event.kind === 'dropped')).toBe(false);
  });

  it('stops at the window, then goes on thinned, with structure whole and told what is missing', () => {
    const { publisher, grow } = make();
    const reader = new Reader();
    const stream = new ClientStream(publisher, reader, 0, 0, null, LIMITS);
    for (let i = 0; i < 30; i++) {
      publisher.add('stepPhase', { step: i, phase: 'generate' });
      grow('a', 49);
      stream.pump();
    }
    expect(reader.events).toHaveLength(100);
    expect(stream.heldBack).toBe(true);
    while (reader.last < publisher.head) {
      stream.ack(reader.last);
    }
    expect(stream.heldBack).toBe(false);
    expect(reader.events.filter((e) => e.kind === 'stepPhase')).toHaveLength(30);
    const dropped = reader.events.filter((e) => e.kind === 'dropped');
    const missing = dropped.reduce((sum, e) => sum + Number(e.fields['count']), 0);
    expect(missing).toBeGreaterThan(0);
    expect(reader.events.length - dropped.length + missing).toBe(1500);
    expect(reader.events.findLast((e) => e.kind === 'nodeUpdated')?.fields['length']).toBe(49);
  });

  it('holds back while the socket is full, and costs no memory of its own', () => {
    const { publisher, grow } = make();
    const reader = new Reader();
    reader.waiting = 5000;
    const stream = new ClientStream(publisher, reader, 0, 0, null, LIMITS);
    grow('a', 10);
    stream.pump();
    expect(reader.events).toHaveLength(0);
    expect(stream.heldBack).toBe(true);
    reader.waiting = 0;
    stream.pump();
    expect(reader.last).toBe(10);
  });

  it('is impossible once what comes next is no longer held', () => {
    const { publisher, grow } = make(2000);
    const reader = new Reader();
    const stream = new ClientStream(publisher, reader, 0, 0, null, LIMITS);
    grow('a', 100);
    stream.pump();
    expect(stream.possible).toBe(true);
    for (let i = 0; i < 20; i++) grow('a', 100);
    stream.pump();
    expect(stream.possible).toBe(false);
  });

  it('begins in the middle of a batch with the strings that the client lacks', () => {
    const { publisher, grow } = make();
    grow('a', 10);
    grow('b', 10);
    const reader = new Reader(15);
    new ClientStream(publisher, reader, 15, 0, null, LIMITS).pump();
    expect(reader.events.map((event) => event.seq)).toEqual([16, 17, 18, 19, 20]);
    expect(reader.events[0]?.fields['node']).toBe('b');
    const informed = new Reader(15);
    informed.strings.add(0, publisher.strings);
    new ClientStream(publisher, informed, 15, publisher.strings.length, null, LIMITS).pump();
    expect(informed.events).toEqual(reader.events);
  });
});
