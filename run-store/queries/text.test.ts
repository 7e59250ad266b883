import { describe, expect, it } from 'vitest';
import { TestStream } from '../testing/testStream';
import { type NodeTokens, textPath, textView } from './text';

/** a: tokens 0 to 9; f leaves it at 4, with two nodes of its own, 3 and 5 long; s is its sibling. */
function forked(): TestStream {
  const stream = new TestStream().step(1).group('g', 'p', 1, 1).rollout('a', 'g');
  stream.add('steering', {
    command: 'c',
    action: 'fork',
    state: 'applied',
    author: 'lin',
    connection: '1',
    scope: 'steer',
    sentence: 'fork',
  });
  stream.add('decision', {
    decision: 'd',
    kind: 'fork',
    method: 'person',
    command: 'c',
    sentence: 'From token 4.',
    body: { parameters: {}, subjects: { type: 'node', ids: ['a/n'] } },
  });
  const from = { origin: 'forked', use: 'probe', fromNode: 'a/n', at: 4, decision: 'd' } as const;
  stream.end('a', 1).rollout('f', 'g', from).rollout('s', 'g', from);
  stream.add('nodeClosed', {
    node: 'f/n',
    length: 3,
    ending: 'finished',
    versions: [
      [0, 1],
      [2, 2],
    ],
  });
  stream.add('nodeOpened', {
    node: 'f/2',
    rollout: 'f',
    parent: 'f/n',
    at: 3,
    kind: 'turn',
    origin: 'sampled',
  });
  stream.add('nodeClosed', { node: 'f/2', length: 5, ending: 'finished' });
  return stream.flush();
}

const tokens = (letters: string, from = 0): NodeTokens => ({
  from,
  to: from + letters.length,
  text: letters,
  offsets: Array.from(letters, (_, i) => i),
  ids: Array.from(letters, (_, i) => i),
  entropy: Array.from(letters, (_, i) => (i === 0 ? 'NaN' : i)),
});

describe('the path of a rollout', () => {
  const { store } = forked();

  it('is its ancestors, cut where it leaves them, and its own nodes', () => {
    const path = textPath(store, { rollout: 'f', from: 0, to: 100 })!;
    expect(path).toMatchObject({ prompt: 'p', length: 12, incarnation: 1 });
    expect(path.pieces.map(({ node, from, to, at }) => [node, from, to, at])).toEqual([
      ['a/n', 0, 4, 0],
      ['f/n', 4, 7, 0],
      ['f/2', 7, 12, 0],
    ]);
    expect(path.pieces[1]).toMatchObject({
      fork: { decision: 'd', label: 'From token 4. · lin', siblings: 1 },
      versions: [
        [0, 1],
        [2, 2],
      ],
    });
    expect(path.pieces[2]!.fork).toBeNull();
  });

  it('gives the window that is asked for', () => {
    const path = textPath(store, { rollout: 'f', from: 3, to: 6 })!;
    expect(path.pieces.map(({ node, from, to, at }) => [node, from, to, at])).toEqual([
      ['a/n', 3, 4, 3],
      ['f/n', 4, 6, 0],
    ]);
    expect(textPath(store, { rollout: 'f', from: 50, to: 60 })!.pieces).toEqual([]);
  });

  it('of a rollout without a node yet ends where it leaves its parent', () => {
    const stream = forked();
    stream.add('rolloutOpened', {
      rollout: 'new',
      group: 'g',
      origin: 'forked',
      use: 'train',
      fromNode: 'f/n',
      at: 2,
    });
    const path = textPath(stream.flush().store, { rollout: 'new', from: 0, to: 100 })!;
    expect(path.pieces.map(({ node, to }) => [node, to])).toEqual([
      ['a/n', 4],
      ['f/n', 6],
    ]);
    expect(textPath(stream.store, { rollout: 'nobody', from: 0, to: 1 })).toBeNull();
  });

  it('ends when nodes are each other’s parents', () => {
    const stream = new TestStream().step(1).group('g', 'p', 1, 1);
    stream.add('rolloutOpened', { rollout: 'r', group: 'g', origin: 'sampled', use: 'train' });
    for (const [node, parent] of [
      ['x', 'y'],
      ['y', 'x'],
    ] as const) {
      stream.add('nodeOpened', { node, rollout: 'r', parent, at: 1, kind: 'tokens', origin: 'sampled' });
    }
    expect(textPath(stream.flush().store, { rollout: 'r', from: 0, to: 10 })!.length).toBe(0);
  });
});

describe('the text of a path', () => {
  const path = textPath(forked().store, { rollout: 'f', from: 2, to: 9 })!;

  it('is cut out of the nodes’ tokens', () => {
    const view = textView(
      path,
      'How many?',
      new Map([
        ['a/n', tokens('abcdefghij')],
        ['f/n', tokens('xyz')],
        ['f/2', tokens('12345')],
      ]),
    );
    expect(view.pieces.map(({ text, from, to }) => [text, from, to])).toEqual([
      ['cd', 2, 4],
      ['xyz', 4, 7],
      ['12', 7, 9],
    ]);
    expect(view.pieces[0]).toMatchObject({ offsets: [0, 1], entropy: [2, 3], logProb: null });
    expect(view.pieces[1]!.entropy![0]).toBeNaN();
    expect(view).toMatchObject({ promptText: 'How many?', length: 12, missing: null });
  });

  it('says what has no text, and shows the rest', () => {
    const view = textView(path, '', new Map([['f/n', tokens('xy')]]));
    expect(view.pieces.map(({ text, to }) => [text, to])).toEqual([['xy', 6]]);
    expect(view.missing).toBe('The job gave no text for 2 nodes of this path.');
  });
});
