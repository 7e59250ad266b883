import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  count,
  decimal,
  interval,
  large,
  MINUS,
  NARROW_SPACE,
  nats,
  ordinal,
  passAt,
  plainValue,
  points,
  pointsValue,
  rate,
  share,
  signed,
  smallFactor,
  superscript,
  withHalfWidth,
  withUnit,
} from './format';

const NB = NARROW_SPACE;

describe('counts', () => {
  it('have commas for thousands and no decimals', () => {
    expect([0, 7, 999, 1000, 1016, 1_204_881, -1234].map(count)).toEqual([
      '0',
      '7',
      '999',
      '1,000',
      '1,016',
      '1,204,881',
      `${MINUS}1,234`,
    ]);
  });

  it('are undefined when they are no number', () => {
    expect([Number.NaN, Number.POSITIVE_INFINITY].map(count)).toEqual(['undefined', 'undefined']);
  });

  it('say the same number when the commas are taken out', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e15, max: 1e15 }), (n) => {
        expect(Number(count(n).replaceAll(',', '').replace(MINUS, '-'))).toBe(n);
      }),
    );
  });
});

describe('large counts', () => {
  it('have three figures, a thin space and a unit', () => {
    expect([760_000, 1_764_000, 41_200, 12_345, 999_600, 2.5e9, -41_200].map(large)).toEqual([
      `760${NB}k`,
      `1.76${NB}M`,
      `41.2${NB}k`,
      `12.3${NB}k`,
      `1.00${NB}M`,
      `2.50${NB}G`,
      `${MINUS}41.2${NB}k`,
    ]);
  });

  it('stay whole below ten thousand', () => {
    expect([0, 4096, 9_999].map(large)).toEqual(['0', '4,096', '9,999']);
  });

  it('are never off by more than half of the third figure', () => {
    const unit = { k: 1e3, M: 1e6, G: 1e9, T: 1e12 } as const;
    fc.assert(
      fc.property(fc.integer({ min: 10_000, max: 999_499_999_999_999 }), (n) => {
        const match = /^([\d.]+)\u202f([kMGT])$/.exec(large(n));
        const [, value = '', name = 'k'] = match ?? [];
        const size = name === 'k' || name === 'M' || name === 'G' || name === 'T' ? unit[name] : 1;
        expect(Math.abs(Number(value) * size - n) / n).toBeLessThan(0.0051);
        expect(value.replace('.', '').length).toBe(3);
      }),
    );
  });
});

describe('rates and rewards', () => {
  it('have two decimals and no leading zero; whole numbers stay whole', () => {
    expect([0.32, 0, 1, 0.5, 0.997, 0.004, 1.5, -0.25, 2, -1].map(rate)).toEqual([
      '.32',
      '0',
      '1',
      '.50',
      '1.00',
      '.00',
      '1.50',
      `${MINUS}.25`,
      '2',
      `${MINUS}1`,
    ]);
  });

  it('have three decimals as pass@k', () => {
    expect([0.72, 0, 1, Number.NaN].map(passAt)).toEqual(['.720', '.000', '1.000', 'undefined']);
  });
});

describe('differences', () => {
  it('are always signed, with a true minus, and zero has none', () => {
    expect([0.68, -0.32, 0, 0.001, -0.001, 1.25].map((x) => signed(x))).toEqual([
      '+.68',
      `${MINUS}.32`,
      '0',
      '0',
      '0',
      '+1.25',
    ]);
    expect([23, -23, 0, 1172].map((x) => signed(x, 0))).toEqual(['+23', `${MINUS}23`, '0', '+1,172']);
  });

  it('in points have one decimal and a leading zero', () => {
    expect([-8.8, 24.2, 0, 0.04, -0.04, 0.5].map(pointsValue)).toEqual([
      `${MINUS}8.8`,
      '+24.2',
      '0.0',
      '0.0',
      '0.0',
      '+0.5',
    ]);
    expect(points(-8.8)).toBe(`${MINUS}8.8 points`);
    expect(withHalfWidth(-8.8, 4)).toBe(`${MINUS}8.8 ± 4.0`);
  });

  it('carry the sign of their value unless they are written as zero', () => {
    fc.assert(
      fc.property(fc.double({ min: -100, max: 100, noNaN: true }), (x) => {
        const text = signed(x);
        expect(text === '0' ? 0 : text.startsWith('+') ? 1 : -1).toBe(Math.abs(x) < 0.005 ? 0 : Math.sign(x));
      }),
    );
  });
});

describe('shares, intervals, entropy, units', () => {
  it('write per cent with a narrow space, one decimal below ten', () => {
    expect([0.38, 0.021, 0, 1, 0.0999, 0.05].map(share)).toEqual([
      `38${NB}%`,
      `2.1${NB}%`,
      `0${NB}%`,
      `100${NB}%`,
      `10${NB}%`,
      `5${NB}%`,
    ]);
  });

  it('write both ends of an interval', () => {
    expect(interval('.02', '.30')).toBe(`95${NB}% interval .02 to .30`);
  });

  it('write entropy in nats', () => {
    expect([2.71, 0.41, Number.NaN].map(nats)).toEqual([`2.71${NB}nats`, `.41${NB}nats`, 'undefined']);
    expect(decimal(0.82)).toBe('.82');
    expect(withUnit('5', '')).toBe('5');
  });
});

describe('small factors', () => {
  it('stand once in the head', () => {
    expect(smallFactor(0.000485)).toEqual({ factor: 1e4, head: '×10⁻⁴' });
    expect(smallFactor(0.0032).head).toBe('×10⁻³');
    expect(smallFactor(0.05)).toEqual({ factor: 1, head: '' });
    expect(smallFactor(0)).toEqual({ factor: 1, head: '' });
  });

  it('leave one figure before the point', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-12, max: 0.0099, noNaN: true }), (x) => {
        const scaled = x * smallFactor(x).factor;
        expect(scaled).toBeGreaterThanOrEqual(1 - 1e-9);
        expect(scaled).toBeLessThan(10);
      }),
    );
  });

  it('raise digits', () => {
    expect([-12, 0, 30].map(superscript)).toEqual(['⁻¹²', '⁰', '³⁰']);
  });
});

describe('words', () => {
  it('number in order', () => {
    expect([1, 2, 3, 4, 11, 12, 13, 21, 31, 101, 111].map(ordinal)).toEqual([
      '1st',
      '2nd',
      '3rd',
      '4th',
      '11th',
      '12th',
      '13th',
      '21st',
      '31st',
      '101st',
      '111th',
    ]);
  });

  it('show what a decision recorded without changing it beyond four figures', () => {
    expect([null, true, 'expectation', 64, 1024, 0.0625, 0.00102999, -0.5, 3.2e-7].map(plainValue)).toEqual([
      'none',
      'true',
      'expectation',
      '64',
      '1,024',
      '.0625',
      '.00103',
      `${MINUS}.5`,
      '3.20·10⁻⁷',
    ]);
  });
});
