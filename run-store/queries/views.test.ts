import { describe, expect, it } from 'vitest';
import { TestStream } from '../testing/testStream';
import { queryOf, viewOf, viewRevision } from './answer';
import { runSummary } from './runSummary';

const NOW = { step: null, range: null, measure: 'launched', history: 8, until: 'subject' } as const;
const NEWEST = { group: null, prompt: null, step: null, rule: null };

/** Two steps: an equal and a mixed group in the first, a forked and steered one in the second. */
function smallRun(): TestStream {
  const stream = new TestStream();
  stream.add('promptDeclared', { prompt: 'p1', difficulty: 'easy', excerpt: 'How many' });
  stream.add('promptDeclared', { prompt: 'p2', difficulty: 'hard' });
  stream.step(1, 4).wholeGroup('g1', 'p1', 1, [1, 1]).wholeGroup('g2', 'p2', 1, [1, 0]);
  stream.add('metric', { name: 'throughput', value: 900, step: 1 }).endStep(1, 2, 80);
  stream.add('decision', {
    decision: 'd2',
    kind: 'allocate',
    method: 'knapsack',
    step: 2,
    sentence: 'Hard prompts get more.',
    body: {
      parameters: { low: 1 },
      subjects: { type: 'prompt', ids: ['p1', 'p2'] },
      inputs: { rate: [1, 0.5] },
      outcome: { rollouts: [1, 3] },
      reasons: ['solved', 'worth it'],
    },
  });
  stream.step(2, 4).add('groupOpened', { group: 'g3', prompt: 'p2', step: 2, planned: 3, decision: 'd2' });
  stream.rollout('a', 'g3').add('nodeUpdated', { node: 'a/n', length: 8, entropy: 1.5 });
  stream.add('nodeSeries', {
    node: 'a/n',
    field: 'entropy',
    bin: 4,
    from: 0,
    mean: [1, 'NaN'],
    greatest: [2, 3],
  });
  stream.add('steering', {
    command: 'c1',
    action: 'fork',
    state: 'applied',
    author: 'lin',
    connection: '1',
    scope: 'steer',
    sentence: 'fork 2 probes',
  });
  stream.add('decision', {
    decision: 'd3',
    kind: 'fork',
    method: 'person',
    command: 'c1',
    sentence: 'By hand.',
    body: { parameters: {}, subjects: { type: 'node', ids: ['a/n'] }, position: 'person' },
  });
  const probe = { use: 'probe', origin: 'forked', fromNode: 'a/n', at: 5, decision: 'd3' } as const;
  stream.rollout('f1', 'g3', probe).rollout('f2', 'g3', probe);
  stream.end('f1', 1, { length: 6 });
  stream.add('credit', { rollout: 'f1', rule: 'grpo', advantage: 0.7 });
  return stream.flush();
}

describe('the tree', () => {
  const { store } = smallRun();
  const tree = viewOf(store, 'tree', NEWEST)!;

  it('numbers rollouts and nodes, children after their parents, with their place on the path', () => {
    expect(tree.group).toBe('g3');
    expect(tree.rollouts.id).toEqual(['a', 'f1', 'f2']);
    expect(tree.nodes.id).toEqual(['a/n', 'f1/n', 'f2/n']);
    expect([...tree.nodes.parent]).toEqual([-1, 0, 0]);
    expect([...tree.nodes.start]).toEqual([0, 5, 5]);
    expect([...tree.rollouts.end]).toEqual([8, 11, 5]);
    expect([...tree.rollouts.ending]).toEqual([-1, 0, -1]);
    expect([...tree.rollouts.use]).toEqual([0, 1, 1]);
    expect([...tree.rollouts.inBaseline]).toEqual([1, 0, 0]);
    expect(tree.rollouts.advantage[1]).toBeCloseTo(0.7);
    expect(tree.rule).toBe('grpo');
  });

  it('groups forks by position and names the person through decision and command', () => {
    expect(tree.forks).toHaveLength(1);
    expect(tree.forks[0]).toMatchObject({
      node: 0,
      at: 5,
      children: [1, 2],
      by: 'person',
      author: 'lin',
      method: 'person',
      decision: 'd3',
    });
    expect(tree.rollouts.author).toEqual([null, 'lin', 'lin']);
  });

  it('gives the entropy by bins with gaps as NaN', () => {
    expect(tree.bin).toBe(4);
    expect([...tree.series]).toEqual([1, NaN]);
    expect([...tree.nodes.seriesCount]).toEqual([2, 0, 0]);
  });

  it('says what the rewards of the group are so far, without the probes', () => {
    expect(tree).toMatchObject({ outcome: 'none', gradient: null, closed: false });
    const first = viewOf(store, 'tree', { ...NEWEST, prompt: 'p2', step: 1 })!;
    expect(first).toMatchObject({
      group: 'g2',
      outcome: 'mixed',
      gradient: true,
      meanReward: 0.5,
      sdReward: 0.5,
    });
    expect(first.largestShare).toBe(0.5);
  });

  it('owns its arrays and gives away all of each', () => {
    for (const column of [...Object.values(tree.nodes), ...Object.values(tree.rollouts), tree.series]) {
      if (ArrayBuffer.isView(column)) expect(column.buffer.byteLength).toBe(column.byteLength);
    }
  });

  it('changes its revision with its own group only', () => {
    const stream = smallRun();
    const of = (group: string) => viewRevision(stream.store, 'tree', { ...NEWEST, group });
    const [g2, g3] = [of('g2'), of('g3')];
    stream.add('nodeUpdated', { node: 'a/n', length: 12 }).flush();
    expect(of('g2')).toBe(g2);
    expect(of('g3')).toBeGreaterThan(g3);
  });
});

describe('steps and prompts', () => {
  const { store } = smallRun();

  it('lists steps newest first with their ledger', () => {
    const { total, rows } = viewOf(store, 'steps', { limit: 10 })!;
    expect(total).toBe(2);
    expect(
      rows.map(({ step, open, planned, launched, ended }) => [step, open, planned, launched, ended]),
    ).toEqual([
      [2, true, 4, 1, 0],
      [1, false, 4, 4, 4],
    ]);
    expect(rows[1]).toMatchObject({ zeroGradientGroups: 1, closedGroups: 2, seconds: 2 });
  });

  it('lists the prompts of a step by a filter, with results from before it', () => {
    const base = { step: null, offset: 0, limit: 10, filter: '', sort: 'rollouts' } as const;
    const page = viewOf(store, 'prompts', base)!;
    expect(page.rows).toMatchObject([
      { prompt: 'p2', group: 'g3', planned: 3, nBefore: 2, cBefore: 1, stepN: 0 },
    ]);
    expect(
      viewOf(store, 'prompts', { ...base, step: 1, sort: 'id' })!.rows.map((row) => row.outcome),
    ).toEqual(['all1', 'mixed']);
    const filtered = (filter: string) => viewOf(store, 'prompts', { ...base, step: 1, filter })!;
    expect(filtered('step rate < .8').rows.map((row) => row.prompt)).toEqual(['p2']);
    expect(filtered('P1').total).toBe(1);
    expect(filtered('difficulty = hard and step n >= 2').total).toBe(1);
    expect(filtered('rate < .5').total).toBe(0);
    expect(filtered('colour > 2').problem).toMatch(/“colour” is not a name/);
    expect(filtered('n > much').problem).toMatch(/“much” is not a number/);
  });

  it('sums up the run for headers', () => {
    expect(runSummary(store)).toMatchObject({
      step: 2,
      firstStep: 1,
      lastStep: 2,
      policyVersion: 2,
      methods: { allocation: 'knapsack' },
      paused: null,
    });
  });
});

describe('the overview', () => {
  const { store } = smallRun();
  const overview = viewOf(store, 'overview', { step: 1 })!;
  const figure = (id: string) => overview.figures.find((one) => one.id === id)!;

  it('has six figures with their whole', () => {
    expect(overview.figures.map(({ id }) => id)).toEqual([
      'throughput',
      'stepSeconds',
      'effectiveBatch',
      'zeroGradientGroups',
      'staleness',
      'slowestTenth',
    ]);
    expect(figure('throughput')).toMatchObject({ value: 900, series: [900], running: false });
    expect(figure('effectiveBatch')).toMatchObject({ value: 2, of: 4 });
    expect(figure('zeroGradientGroups')).toMatchObject({ value: 1, of: 2 });
    expect(figure('stepSeconds')).toMatchObject({ value: 2, median: 2 });
    expect(figure('slowestTenth').value).toBeGreaterThanOrEqual(0);
  });

  it('has a clock, slow rollouts and bars that add up', () => {
    expect(overview.clock.inFlight[0]).toBeLessThanOrEqual(4);
    expect(overview.clock.inFlight.at(-1)).toBe(0);
    expect(overview.slowest).toHaveLength(4);
    const { bars } = viewOf(store, 'overview', { step: null })!;
    expect(bars.steps).toEqual([1, 2]);
    expect(bars.gradient[0]! + bars.noGradient[0]! + bars.running[0]! + bars.discardedOrKilled[0]!).toBe(4);
  });
});

describe('budgets', () => {
  const { store } = smallRun();
  const budgets = viewOf(store, 'budgets', NOW)!;

  it('puts the prompts of the step first and keeps the others', () => {
    expect(budgets.prompts.id).toEqual(['p2', 'p1']);
    expect([...budgets.prompts.planned]).toEqual([3, -1]);
    expect([...budgets.prompts.launched]).toEqual([1, -1]);
    expect([...budgets.prompts.n]).toEqual([2, 2]);
    expect([...budgets.prompts.c]).toEqual([1, 2]);
    expect(budgets.prompts.rate[0]).toBeCloseTo(0.5);
    expect(budgets.prompts.rateLow[0]).toBeGreaterThan(0.05);
    expect(budgets.prompts.decision).toEqual(['d2', null]);
  });

  it('has the launches of each prompt by step', () => {
    expect(budgets.history.steps).toEqual([1, 2]);
    const { start, column, value } = budgets.history;
    expect([...start]).toEqual([0, 2, 3]);
    expect([...column]).toEqual([0, 1, 0]);
    expect([...value]).toEqual([2, 1, 2]);
  });

  it('counts results once when a restarted job tells those of its earlier life again', () => {
    const stream = smallRun();
    stream.begin({ number: 2 });
    const told = (prompt: string, step: number, n: number, c: number) =>
      stream.add('promptStatistics', { prompt, step, policyVersion: 1, n, c, sumReward: c, sumReward2: c });
    told('p2', 1, 2, 1);
    told('p2', 7, 4, 4);
    stream.step(2, 1).group('g3b', 'p2', 2, 1).flush();
    const { prompts } = viewOf(stream.store, 'budgets', NOW)!;
    expect([prompts.n[0], prompts.c[0]]).toEqual([6, 5]);
  });

  it('keeps the method of the step when a person pins a prompt', () => {
    const stream = smallRun();
    stream.add('decision', {
      decision: 'd4',
      kind: 'allocate',
      method: 'person',
      step: 2,
      command: 'c1',
      sentence: 'p2 gets 11.',
      body: { parameters: {}, subjects: { type: 'prompt', ids: ['p2'] }, outcome: { rollouts: [11] } },
    });
    const after = viewOf(stream.flush().store, 'budgets', NOW)!;
    expect(after.method).toBe('knapsack');
    expect(after.history.changes).toEqual([]);
  });

  it('shows the row of one subject of a decision', () => {
    expect(queryOf(store, 'decision', { decision: 'd2', subject: 'p2' })).toMatchObject({
      method: 'knapsack',
      inputs: { rate: 0.5 },
      outcome: { rollouts: 3 },
      reason: 'worth it',
      subjects: 2,
    });
    expect(queryOf(store, 'decision', { decision: 'none', subject: null })).toBeNull();
  });
});

describe('asking for one thing', () => {
  const { store } = smallRun();

  it('finds where a node, a rollout, a group or a prompt stands', () => {
    const place = { step: 2, prompt: 'p2', group: 'g3', incarnation: 1 };
    expect(queryOf(store, 'locate', { node: 'f1/n' })).toEqual({ ...place, rollout: 'f1', node: 'f1/n' });
    expect(queryOf(store, 'locate', { rollout: 'a' })).toMatchObject({ ...place, rollout: 'a' });
    expect(queryOf(store, 'locate', { prompt: 'p2', step: 1 })).toMatchObject({ group: 'g2' });
    expect(queryOf(store, 'locate', { group: 'nowhere' })).toBeNull();
  });

  it('writes the events of a rollout', () => {
    const { lines } = queryOf(store, 'events', { subjectType: 'rollout', id: 'f1', limit: 10 });
    expect(lines[0]).toMatch(/rolloutOpened f1, forked, probe, By hand\./);
    expect(lines.at(-1)).toMatch(/rolloutClosed f1, finished, length 6, reward 1/);
  });
});
