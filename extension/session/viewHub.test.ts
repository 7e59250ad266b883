import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ViewName } from '../../protocol/panels/views';
import { fingerprint } from './fingerprint';
import { ownBuffers } from './ownedBuffers';
import { FakeClock } from './testing/fakeClock';
import { FakeModel } from './testing/fakeModel';
import { ViewHub, type PostedView } from './viewHub';

function hub(view: () => unknown) {
  const model = new FakeModel();
  model.views = view;
  const clock = new FakeClock();
  const posted: PostedView[] = [];
  const errors: string[] = [];
  const views = new ViewHub(
    model,
    (one) => void posted.push(one),
    ({ subscription, view, problem }) => void errors.push(`${subscription} ${view}: ${problem ?? 'fine'}`),
    clock,
  );
  /** Something changed that the views named show; none named: all. */
  const change = (...shown: readonly ViewName[]) => {
    for (const name of shown.length > 0 ? shown : (['overview', 'steering'] as const)) model.bump(name);
    views.changed();
  };
  const drawn = () => views.ack(posted.at(-1)!.subscription, posted.at(-1)!.version);
  return { views, clock, posted, errors, drawn, change, model };
}

const overview = { step: null };

describe('views of a run', () => {
  it('come at once, then at most four times a second', async () => {
    let n = 0;
    const { views, clock, posted, drawn, change } = hub(() => ({ n: n++ }));
    views.subscribe(1, 'overview', overview);
    expect(posted).toHaveLength(1);
    for (let i = 0; i < 100; i++) {
      drawn();
      change();
      await clock.advance(10);
    }
    expect(posted.length).toBeGreaterThanOrEqual(4);
    expect(posted.length).toBeLessThanOrEqual(1 + 1 + 4);
  });

  it('wait for the acknowledgement of the last one, and then show the newest state only', async () => {
    let n = 0;
    const { views, clock, posted, drawn, change } = hub(() => ({ n }));
    views.subscribe(1, 'overview', overview);
    for (n = 1; n <= 50; n++) {
      change();
      await clock.advance(100);
    }
    expect(posted).toHaveLength(1);
    drawn();
    await clock.advance(250);
    expect(posted.map(({ version, data }) => [version, data])).toEqual([
      [1, { n: 0 }],
      [2, { n: 51 }],
    ]);
  });

  it('are not sent again when only the seq changed, or only what other views show', async () => {
    let asked = 0;
    const { views, clock, posted, drawn, change } = hub(() => ({ ledger: { planned: 8, seq: asked++ } }));
    views.subscribe(1, 'steering', { limit: 5 });
    drawn();
    change('overview');
    await clock.advance(1000);
    expect(asked).toBe(1);
    change('steering');
    await clock.advance(1000);
    expect(asked).toBe(2);
    expect(posted).toHaveLength(1);
  });

  it('do not end because one of them failed', async () => {
    let broken = true;
    const { views, clock, posted, errors, drawn, change } = hub(() => {
      if (broken) throw new Error('a defect');
      return { fine: true };
    });
    views.subscribe(1, 'overview', overview);
    expect(errors).toEqual(['1 overview: a defect']);
    // The panel does not wait for what does not come.
    expect(posted.map(({ data }) => data)).toEqual([null]);
    drawn();
    change();
    await clock.advance(250);
    expect(errors).toHaveLength(1);
    broken = false;
    change();
    await clock.advance(250);
    broken = true;
    drawn();
    change();
    await clock.advance(250);
    // The last good one stays, and is known to be old.
    expect(posted.map(({ data }) => data)).toEqual([null, { fine: true }]);
    expect(errors).toEqual(['1 overview: a defect', '1 overview: fine', '1 overview: a defect']);
  });

  it('do not end because it cannot be told whether one of them changed', async () => {
    let n = 0;
    const { views, clock, posted, errors, change, model } = hub(() => ({ n: n++ }));
    views.subscribe(1, 'overview', overview);
    views.subscribe(2, 'steering', { limit: 5 });
    for (const { subscription, version } of [...posted]) views.ack(subscription, version);
    const revision = model.revision.bind(model);
    model.revision = (name) => {
      if (name === 'overview') throw new Error('no such row');
      return revision(name);
    };
    change('steering');
    await clock.advance(250);
    views.subscribe(3, 'overview', overview);
    expect(errors).toEqual(['1 overview: no such row', '3 overview: no such row']);
    expect(posted.map(({ subscription, data }) => [subscription, data])).toEqual([
      [1, { n: 0 }],
      [2, { n: 1 }],
      [2, { n: 2 }],
      [3, null],
    ]);
  });

  it('stop after unsubscribe, and a late acknowledgement does no harm', async () => {
    let n = 0;
    const { views, clock, posted, drawn, change } = hub(() => ({ n: n++ }));
    views.subscribe(1, 'overview', overview);
    change();
    views.unsubscribe(1);
    drawn();
    await clock.advance(1000);
    expect(posted).toHaveLength(1);
  });
});

describe('buffers that are given away', () => {
  it('are exact: a window on a larger buffer is copied, and no buffer is given twice', () => {
    const large = new Float64Array([1, 2, 3, 4]);
    const whole = new Int32Array([5, 6]);
    const { data, buffers } = ownBuffers({
      a: large.subarray(1, 3),
      list: [{ b: whole }, { c: whole }],
      d: 'x',
    });
    expect(data).toEqual({ a: new Float64Array([2, 3]), list: [{ b: whole }, { c: whole }], d: 'x' });
    expect(buffers.map(({ byteLength }) => byteLength)).toEqual([16, 8, 8]);
    const moved = structuredClone(data, { transfer: buffers });
    expect(moved).toEqual({
      a: new Float64Array([2, 3]),
      list: [{ b: new Int32Array([5, 6]) }, { c: new Int32Array([5, 6]) }],
      d: 'x',
    });
    expect([...large]).toEqual([1, 2, 3, 4]);
  });
});

describe('fingerprints', () => {
  const data = fc.object({
    values: [
      fc.double(),
      fc.string(),
      fc.boolean(),
      fc.constant(null),
      fc.int32Array(),
      fc.uint8Array(),
      fc.float64Array(),
    ],
    key: fc.stringMatching(/^[a-p]{1,4}$/),
  });

  it('are equal for equal data', () => {
    fc.assert(fc.property(data, (value) => fingerprint(value) === fingerprint(structuredClone(value))));
  });

  it('differ when one number, letter or element differs', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ noNaN: true }), { minLength: 1 }), fc.nat(), (list, place) => {
        const other = [...list];
        other[place % list.length]! += other[place % list.length]! === 0 ? 1 : other[place % list.length]!;
        return other.some((v, i) => !Object.is(v, list[i]))
          ? fingerprint({ list: Float64Array.from(list) }) !== fingerprint({ list: Float64Array.from(other) })
          : true;
      }),
    );
    expect(fingerprint({ a: 'x', b: '' })).not.toBe(fingerprint({ a: '', b: 'x' }));
    expect(fingerprint([[], [1]])).not.toBe(fingerprint([[1], []]));
    expect(fingerprint(new Uint8Array([0, 0]))).not.toBe(fingerprint(new Uint8Array([0])));
  });
});
