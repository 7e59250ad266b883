import fc from 'fast-check';
import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { passAtK } from '../../methods/estimators/passAtK';
import { NEWEST_CURVES } from '../../protocol/panels/passAtK';
import { passAtKView } from '../queries/passAtK';
import { heldOutMeasurements, trainingMeasurements } from '../queries/measurements';
import { RunStore } from '../runStore';
import { parquetFile } from '../testing/parquetFile';
import { bytesSource, type ByteSource } from './byteSource';
import { DumpError } from './dumpError';
import { loadDumps, type ResultsRead } from './loadDumps';
import type { SuccessChoice } from './success';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const file = (path: string, text: string): ByteSource => bytesSource(path, bytes(text));
const lines = (...rows: readonly unknown[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
const start = { number: 1, id: 'results', startedAt: 0 };

async function load(
  sources: readonly ByteSource[],
  choice: SuccessChoice = {},
): Promise<{ store: RunStore; results: ResultsRead }> {
  const store = new RunStore();
  const loaded = await loadDumps(sources, store, start, choice);
  if (!('results' in loaded)) throw new Error(`asked: ${JSON.stringify(loaded.question)}`);
  return { store, results: loaded.results };
}

/** [prompt, n, c] of a measurement. */
function countsOf(store: RunStore, use: 'evaluation' | 'training', step = 0): [string, number, number][] {
  const measured = (use === 'evaluation' ? heldOutMeasurements : trainingMeasurements)(store).find(
    (one) => one.step === step,
  );
  if (!measured) throw new Error(`no measurement at step ${step}`);
  return store.prompts.ids.flatMap((id, row): [string, number, number][] => {
    const n = measured.n[row] ?? 0;
    return n > 0 ? [[id, n, measured.c[row]!]] : [];
  });
}

const refusal = async (source: ByteSource): Promise<string> => {
  try {
    await load([source]);
  } catch (error) {
    if (error instanceof DumpError) return error.message;
    throw error;
  }
  throw new Error('it was read');
};

describe('tables of prompt, n and c', () => {
  const expected = [
    ['a', 4, 3],
    ['b', 64, 2],
  ];
  it.each([
    ['JSON lines', lines({ prompt_id: 'a', n: 4, c: 3 }, { prompt_id: 'b', n: 64, c: 2 })],
    [
      'a JSON list',
      JSON.stringify(
        [
          { prompt: 'a', n: 4, c: 3 },
          { prompt: 'b', n: 64, c: 2 },
        ],
        null,
        2,
      ),
    ],
    [
      'a JSON document with a list',
      JSON.stringify({
        prompts: [
          { id: 'a', n: 4, c: 3 },
          { id: 'b', n: 64, c: 2 },
        ],
      }),
    ],
    ['a JSON map', JSON.stringify({ a: { n: 4, c: 3 }, b: { n: 64, c: 2 } }, null, 1)],
    ['CSV', 'prompt,n,c\na,4,3\nb,64,2\n'],
    ['CSV with semicolons and Windows line ends', 'task_id;num_samples;num_correct\r\na;4;3\r\nb;64;2'],
    ['CSV with a byte order mark and tabs', '\uFEFFprompt\tn\tc\na\t4\t3\nb\t64\t2\n'],
  ])('%s', async (_, text) => {
    const { store, results } = await load([file('table', text)]);
    expect(countsOf(store, 'evaluation')).toEqual(expected);
    expect(results).toMatchObject({ rows: 2, used: 2, unusable: 0, named: [] });
    expect(results.sets).toMatchObject([{ prompts: 2, samples: 68, score: null, threshold: null }]);
  });

  it('gives the panel the curve of those counts', async () => {
    const text = 'prompt,n,c\na,8,3\nb,8,1\n';
    const { store } = await load([file('t.csv', text)]);
    const view = passAtKView(store, NEWEST_CURVES)!;
    view.k.forEach((k, i) => {
      expect(view.curves[0]!.value[i]).toBeCloseTo((passAtK(8, 3, k)! + passAtK(8, 1, k)!) / 2, 12);
    });
  });

  it('names counts that are too great for samples of a prompt', async () => {
    const { store, results } = await load([file('t.csv', 'prompt,n,c\na,4,3\nb,9007199254740991,5\n')]);
    expect(countsOf(store, 'evaluation')).toEqual([['a', 4, 3]]);
    expect(results.named).toEqual([
      { place: 'line 3', why: 'n = 9007199254740991 exceeds 100000, the most samples of a prompt' },
    ]);
  });

  it('names what it cannot use and uses the rest', async () => {
    const text = 'prompt,n,c\na,4,3\nb,4,5\nc,four,1\nd,4\n"e\ne",8,8\n,4,1\n"f,1,1\ng,2,1\n';
    const { store, results } = await load([file('t.csv', text)]);
    expect(countsOf(store, 'evaluation')).toEqual([
      ['a', 4, 3],
      [expect.stringMatching(/^text-/), 8, 8],
      ['g', 2, 1],
    ]);
    expect(results).toMatchObject({ rows: 8, used: 3, unusable: 5 });
    expect(results.named).toEqual([
      { place: 'line 9', why: 'a quote is opened and never closed' },
      { place: 'line 5', why: '2 cells, the header has 3' },
      { place: 'line 3', why: 'c = 5 exceeds n = 4' },
      { place: 'line 4', why: 'n or c is not a whole number' },
      { place: 'line 8', why: 'no prompt' },
    ]);
  });
});

describe('tables of samples', () => {
  it('counts truth values, words and numbers; what was not graded is in neither n nor c', async () => {
    const text = 'question_id,correct\nq1,True\nq1,False\nq1,true\nq2,0\nq2,\nq2,1\n';
    const { store, results } = await load([file('samples.csv', text)]);
    expect(countsOf(store, 'evaluation')).toEqual([
      ['q1', 3, 2],
      ['q2', 2, 1],
    ]);
    expect(results.sets).toMatchObject([{ samples: 5, ungraded: 1, score: 'correct', threshold: 0.5 }]);
  });

  it('takes lists of results, and lines that Python wrote with NaN', async () => {
    const text =
      '{"task_id": "HE/0", "passed": [true, false, NaN]}\n{"task_id": "HE/1", "passed": [false]}\n';
    const { store, results } = await load([file('he.jsonl', text)]);
    expect(countsOf(store, 'evaluation')).toEqual([
      ['HE/0', 2, 1],
      ['HE/1', 1, 0],
    ]);
    expect(results.sets[0]!.ungraded).toBe(1);
  });

  it('reads steps and sets from rows, and files of one set as steps of their own', async () => {
    const row = (step: number, correct: boolean): unknown => ({
      prompt_id: 'p',
      dataset: 'aime',
      step,
      correct,
    });
    const { store } = await load([file('all.jsonl', lines(row(0, false), row(0, false), row(100, true)))]);
    expect(heldOutMeasurements(store).map(({ step, set }) => [step, set])).toEqual([
      [0, 'aime'],
      [100, 'aime'],
    ]);
    const sample = lines({ prompt_id: 'p', dataset: 'aime', correct: true });
    const two = await load([file('base/out.jsonl', sample), file('trained/out.jsonl', sample)]);
    expect(heldOutMeasurements(two.store).map(({ step, n }) => [step, n[0]])).toEqual([
      [0, 1],
      [1, 1],
    ]);
    expect(two.results.notes).toEqual(['out.jsonl is shown as step 0', 'out.jsonl is shown as step 1']);
    const named = await load([file('checkpoint-400/out.jsonl', sample)]);
    expect(heldOutMeasurements(named.store)[0]!.step).toBe(400);
  });

  it('asks for a threshold where rewards are partial, and counts by the answer', async () => {
    const text = lines(
      { prompt: 'p', reward: 0 },
      { prompt: 'p', reward: 0.4 },
      { prompt: 'p', reward: 0.9 },
      { prompt: 'p', reward: 1 },
    );
    const store = new RunStore();
    const asked = await loadDumps([file('r.jsonl', text)], store, start);
    expect(asked).toMatchObject({
      question: { asks: 'threshold', scores: [{ name: 'reward', least: 0, greatest: 1 }] },
      read: { rows: 4, used: 4 },
    });
    expect(store.incarnations).toEqual([]);
    for (const [threshold, c] of [
      [1, 1],
      [0.5, 2],
      [0.4, 3],
    ] as const) {
      const { store: answered, results } = await load([file('r.jsonl', text)], { threshold });
      expect(countsOf(answered, 'evaluation')).toEqual([['p', 4, c]]);
      expect(results.sets[0]!.threshold).toBe(threshold);
    }
  });
});

describe('lm-evaluation-harness', () => {
  const sample = (doc_id: number, filter: string, exact_match: number): unknown => ({
    doc_id,
    doc: { question: `What is ${doc_id}?`, level: 'easy' },
    target: '1',
    arguments: [['Q: …', { until: ['\n'] }]],
    resps: [['answer']],
    filtered_resps: ['answer'],
    filter,
    metrics: ['exact_match'],
    doc_hash: 'd',
    exact_match,
  });

  it('reads samples a task and filter', async () => {
    const text = lines(
      sample(0, 'strict', 1),
      sample(0, 'flexible', 1),
      sample(1, 'strict', 0),
      sample(1, 'flexible', 1),
    );
    const { store, results } = await load([
      file('out/samples_gsm8k_cot_2026-01-31T10-00-00.123.jsonl', text),
    ]);
    expect(results.formats).toEqual(['lm-evaluation-harness samples']);
    expect(results.sets.map(({ name, samples }) => [name, samples])).toEqual([
      ['gsm8k_cot (strict)', 2],
      ['gsm8k_cot (flexible)', 2],
    ]);
    const row = store.prompts.find('gsm8k_cot/1');
    expect(store.prompts.facts[row]).toMatchObject({
      excerpt: 'What is 1?',
      difficulty: 'easy',
      split: 'heldOut',
    });
  });

  it('gives n and c back from pass@1 of several answers, and says where one score stands for many', async () => {
    const code = (doc_id: number, pass: number): unknown => ({
      doc_id,
      doc: { prompt: 'def f():' },
      resps: [['a', 'b', 'c', 'd']],
      filtered_resps: [['a', 'b', 'c', 'd']],
      filter: 'create_test',
      'pass@1': pass,
      'pass@2': 0.9,
    });
    const { store } = await load([file('samples_humaneval.jsonl', lines(code(0, 0.75), code(1, 0)))]);
    expect(countsOf(store, 'evaluation')).toEqual([
      ['humaneval/0', 4, 3],
      ['humaneval/1', 4, 0],
    ]);
    const voted = { doc_id: 0, resps: [['a', 'b']], filtered_resps: ['a'], filter: 'maj', acc: 1 };
    const { results } = await load([file('samples_x.jsonl', lines(voted))]);
    expect(results.notes).toEqual(['2 answers a document but one score: counted as one sample']);
  });

  it('says which file to open instead of results that are averages', async () => {
    const text = JSON.stringify({
      results: { gsm8k: { 'exact_match,strict': 0.5 } },
      configs: {},
      versions: {},
    });
    expect(await refusal(file('results_2026.json', text))).toMatch(
      /averages.*gsm8k|gsm8k.*averages.*samples_TASK/s,
    );
  });

  it('reads results that were kept together with their samples', async () => {
    const text = JSON.stringify({ results: {}, configs: {}, samples: { arc: [sample(3, 'none', 1)] } });
    expect(countsOf((await load([file('r.json', text)])).store, 'evaluation')).toEqual([['arc/3', 1, 1]]);
  });
});

describe('Inspect', () => {
  const header = {
    version: 2,
    status: 'success',
    eval: { task: 'aime', model: 'some/model', config: { epochs: 2 } },
  };
  const sample = (id: number, epoch: number, value: unknown): unknown => ({
    id,
    epoch,
    input: [{ role: 'user', content: `Problem ${id}` }],
    target: '7',
    scores: { match: { value } },
  });
  const failed = {
    id: 2,
    epoch: 2,
    input: 'Problem 2',
    target: '7',
    scores: null,
    error: { message: 'time' },
  };
  const samples = [sample(1, 1, 'C'), sample(1, 2, 'I'), sample(2, 1, 'N'), failed];
  const expected = [
    ['aime/1', 2, 1],
    ['aime/2', 1, 0],
  ];
  const zipped = (entries: Record<string, unknown>): ByteSource =>
    bytesSource(
      'log.eval',
      zipSync(
        Object.fromEntries(
          Object.entries(entries).map(([name, value]) => [name, bytes(JSON.stringify(value))]),
        ),
      ),
    );

  it('reads a JSON log', async () => {
    const { store, results } = await load([
      file('log.json', JSON.stringify({ ...header, samples }, null, 2)),
    ]);
    expect(countsOf(store, 'evaluation')).toEqual(expected);
    expect(results).toMatchObject({
      formats: ['Inspect log'],
      rows: 4,
      used: 4,
      notes: ['model some/model'],
    });
    expect(results.sets).toMatchObject([{ name: 'aime', ungraded: 1, score: 'match' }]);
  });

  it.each([
    ['summaries', { 'header.json': header, 'summaries.json': samples, 'samples/1_epoch_1.json': {} }],
    [
      'samples only',
      {
        'header.json': header,
        ...Object.fromEntries(samples.map((one, i) => [`samples/s${i}.json`, one])),
      },
    ],
    [
      'the journal of a running log',
      {
        '_journal/start.json': header,
        '_journal/summaries/1.json': samples.slice(0, 2),
        '_journal/summaries/2.json': samples.slice(2),
      },
    ],
  ])('reads an archive with %s', async (_, entries) => {
    expect(countsOf((await load([zipped(entries)])).store, 'evaluation')).toEqual(expected);
  });

  it('has a set a scorer, and of scorers with several values one a value', async () => {
    const both = {
      id: 1,
      epoch: 1,
      input: 'x',
      scores: { a: { value: 1 }, b: { value: { x: true, y: 'I' } } },
    };
    const { results } = await load([file('log.json', JSON.stringify({ ...header, samples: [both] }))]);
    expect(results.sets.map(({ name }) => name)).toEqual(['aime (a)', 'aime (b x)', 'aime (b y)']);
  });

  it('asks where partial credit is given', async () => {
    const loaded = await loadDumps(
      [file('log.json', JSON.stringify({ ...header, samples: [sample(1, 1, 'P')] }))],
      new RunStore(),
      start,
    );
    expect(loaded).toMatchObject({ question: { asks: 'threshold', set: 'aime' } });
  });

  it('says what is wrong with an archive', async () => {
    const whole = new Uint8Array(await zipped({ 'header.json': header, 'summaries.json': samples }).slice(0));
    expect(await refusal(bytesSource('cut.eval', whole.subarray(0, whole.length - 30)))).toMatch(
      /table of contents/,
    );
    expect(await refusal(zipped({ 'word/document.xml': 1 }))).toMatch(/no Inspect log.*word\/document\.xml/s);
    expect(await refusal(file('log.json', JSON.stringify(header)))).toMatch(/holds no samples/);
  });
});

describe('verl dumps', () => {
  const rollout = (input: string, score: number, extra: object = {}): unknown => ({
    input,
    output: '…',
    gts: '7',
    score,
    step: 12,
    ...extra,
  });

  it('are training groups by prompt and step, with reward and success apart', async () => {
    const text = lines(
      rollout('A', 1.1, { acc: true }),
      rollout('B', 0.1, { acc: false }),
      rollout('A', 0.1, { acc: false }),
      rollout('B', 0.1, { acc: false }),
    );
    const { store, results } = await load([file('rollouts/12.jsonl', text)]);
    expect(results.sets).toMatchObject([{ use: 'training', steps: [12], samples: 4, score: 'acc' }]);
    expect(countsOf(store, 'training', 12).map(([, n, c]) => [n, c])).toEqual([
      [2, 1],
      [2, 0],
    ]);
    const { groups } = store.current!;
    expect(groups.count).toBe(2);
    expect(store.steps()[0]!.step.totals).toMatchObject({ closedGroups: 2, zeroGradientGroups: 1 });
  });

  it('are evaluations where their folder says so', async () => {
    const { store } = await load([file('validation_data/40.jsonl', lines(rollout('A', 1), rollout('A', 0)))]);
    expect(countsOf(store, 'evaluation', 12).map(([, n, c]) => [n, c])).toEqual([[2, 1]]);
  });

  it('ask for the threshold of a graded score', async () => {
    const loaded = await loadDumps([file('1.jsonl', lines(rollout('A', 0.3)))], new RunStore(), start);
    expect(loaded).toMatchObject({ question: { asks: 'threshold', scores: [{ name: 'score' }] } });
  });
});

describe('TRL completions', () => {
  const table = (rewards: Record<string, number[]>): ByteSource =>
    bytesSource(
      'completions/completions_00003.parquet',
      parquetFile([
        { name: 'step', longs: [3, 3, 3, 3] },
        { name: 'prompt', texts: ['A', 'A', 'B', 'B'] },
        { name: 'completion', texts: ['a', 'b', 'c', 'd'] },
        ...Object.entries(rewards).map(([name, doubles]) => ({ name, doubles })),
        { name: 'advantage', doubles: [1, -1, 0, 0] },
      ]),
    );

  it('are training groups by prompt and step', async () => {
    const { store, results } = await load([
      table({ accuracy_reward: [1, 0, 0, 0], format_reward: [1, 1, 0.5, 0] }),
    ]);
    expect(results).toMatchObject({ formats: ['TRL completions'], rows: 4, used: 4 });
    expect(results.sets).toMatchObject([{ use: 'training', steps: [3], score: 'accuracy_reward' }]);
    expect(countsOf(store, 'training', 3).map(([, n, c]) => [n, c])).toEqual([
      [2, 1],
      [2, 0],
    ]);
  });

  it('ask which reward tells success where none is known to', async () => {
    const source = table({ r1: [1, 0, 0, 0], r2: [0, 0, 1, 1] });
    const loaded = await loadDumps([source], new RunStore(), start);
    expect(loaded).toMatchObject({ question: { asks: 'score', scores: [{ name: 'r1' }, { name: 'r2' }] } });
    const { store } = await load([source], { score: 'r2' });
    expect(countsOf(store, 'training', 3).map(([, n, c]) => [n, c])).toEqual([
      [2, 0],
      [2, 2],
    ]);
  });

  it('say what is wrong with the file', async () => {
    const whole = new Uint8Array(await table({ r: [0, 0, 0, 0] }).slice(0));
    expect(await refusal(bytesSource('x.parquet', whole.subarray(0, whole.length - 9)))).toMatch(
      /cannot be read/,
    );
    const other = parquetFile([{ name: 'price', doubles: [1] }]);
    expect(await refusal(bytesSource('x.parquet', other))).toMatch(/fields price is of no kind/);
  });
});

describe('files of no known kind', () => {
  it.each([
    ['empty', new Uint8Array(0), /empty/],
    ['binary', new Uint8Array([1, 0, 2]), /binary/],
    ['gzip', new Uint8Array([0x1f, 0x8b, 8, 0]), /gunzip/],
    ['prose', bytes('Dear reader,\nhello\n'), /fields Dear reader, .*Expected: a table/s],
    ['other JSON lines', bytes(lines({ level: 'info' }, { level: 'warn' })), /fields level/],
    ['cut JSON', bytes('[{"prompt": "a", "n": 4, '), /cut off/],
    ['a list of numbers', bytes('[1, 2]'), /no objects/],
    ['a lone value', bytes('{"a": 1}'), /fields a/],
    ['no usable row', bytes('prompt,n,c\na,x,1\n'), /no usable row \(line 2: n or c/],
  ])('%s', async (_, content, message) => {
    expect(await refusal(bytesSource('f', content))).toMatch(message);
  });

  it('says which of several files it is', async () => {
    const good = file('good.csv', 'prompt,n,c\na,1,1\n');
    await expect(load([good, file('notes/bad.txt', 'hello\n')])).rejects.toThrow(/^bad\.txt: /);
  });

  it('stops when it is told to', async () => {
    const controller = new AbortController();
    controller.abort(new Error('enough'));
    const source = file('good.csv', 'prompt,n,c\na,1,1\n');
    await expect(
      loadDumps([source], new RunStore(), start, {}, { signal: controller.signal }),
    ).rejects.toThrow('enough');
  });
});

describe('any file at all', () => {
  const word = fc.constantFrom(
    'prompt',
    'prompt_id',
    'n',
    'c',
    'correct',
    'score',
    'input',
    'output',
    'doc_id',
    'resps',
    'step',
    'advantage',
    'passed',
    'samples',
    'eval',
    'results',
    '__proto__',
    'toString',
  );
  const value = fc.oneof(
    fc.nat(9),
    fc.boolean(),
    fc.double(),
    fc.constant(null),
    fc.string(),
    fc.array(fc.oneof(fc.boolean(), fc.nat(2), fc.string()), { maxLength: 4 }),
    fc.dictionary(word, fc.nat(3), { maxKeys: 3 }),
  );
  const row = fc.dictionary(word, value, { maxKeys: 7 });
  const text = fc.oneof(
    fc.array(row, { maxLength: 8 }).map((rows) => lines(...rows)),
    fc.array(row, { maxLength: 8 }).map((rows) => JSON.stringify(rows)),
    row.map((one) => JSON.stringify(one)),
    fc
      .array(
        fc.oneof(
          fc.json(),
          fc.string(),
          row.map((one) => JSON.stringify(one)),
        ),
      )
      .map((all) => all.join('\n')),
    fc
      .array(fc.array(fc.oneof(word, fc.string(), fc.constant('"')), { maxLength: 5 }), { maxLength: 6 })
      .map((rows) => rows.map((cells) => cells.join(',')).join('\n')),
  );
  const content = fc.oneof(
    text.map(bytes),
    fc.uint8Array({ maxLength: 300 }),
    fc.uint8Array({ maxLength: 200 }).map((tail) => new Uint8Array([0x50, 0x4b, 3, 4, ...tail])),
    fc.uint8Array({ maxLength: 200 }).map((tail) => new Uint8Array([...bytes('PAR1'), ...tail])),
  );

  it('is read or refused with a message, and the counts add up', async () => {
    await fc.assert(
      fc.asyncProperty(content, async (some) => {
        const store = new RunStore();
        try {
          const loaded = await loadDumps([bytesSource('any', some)], store, start, { threshold: 1 });
          const read = 'results' in loaded ? loaded.results : loaded.read;
          expect(read.used + read.unusable).toBe(read.rows);
          expect(read.named.length).toBe(Math.min(100, read.unusable));
          if (!('results' in loaded)) return;
          const total = loaded.results.sets.reduce((sum, { samples }) => sum + samples, 0);
          const held = store.incarnations
            .flatMap(({ evaluations }) => evaluations)
            .reduce((sum, { n }) => sum + n.reduce((s, x) => s + x, 0), 0);
          const trained = trainingMeasurements(store).reduce(
            (sum, { n }) => sum + n.reduce((s, x) => s + x, 0),
            0,
          );
          expect(held + trained).toBe(total);
        } catch (error) {
          if (!(error instanceof DumpError)) throw error;
          expect(error.what.length).toBeGreaterThan(10);
          expect(error.whatToDo.length).toBeGreaterThan(10);
          expect(store.incarnations).toEqual([]);
        }
      }),
      { numRuns: 1500 },
    );
  });

  it('of samples gives the counts that the samples have', async () => {
    const sample = fc.record({ prompt_id: fc.constantFrom('a', 'b', 'c'), correct: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(sample, { minLength: 1, maxLength: 60 }), async (samples) => {
        const csv = ['prompt_id,correct', ...samples.map((one) => `${one.prompt_id},${one.correct}`)].join(
          '\n',
        );
        for (const source of [file('s.jsonl', lines(...samples)), file('s.csv', csv)]) {
          const { store } = await load([source]);
          for (const [prompt, n, c] of countsOf(store, 'evaluation')) {
            const own = samples.filter(({ prompt_id }) => prompt_id === prompt);
            expect([n, c]).toEqual([own.length, own.filter(({ correct }) => correct).length]);
          }
        }
      }),
      { numRuns: 100 },
    );
  });
});
