import type { WhatIfEstimate, WhatIfMethod, WhatIfView } from '../../protocol/panels/whatIf';

/** A cell of RFC 4180. A text that a spreadsheet would run as a formula begins with an apostrophe. */
const cell = (value: string | number): string => {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '';
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

const idOf = ({ method, parameters }: WhatIfMethod): string =>
  [method, ...Object.entries(parameters).map(([name, value]) => `${name}=${value}`)].join(' ');

/** Four decimals are more than 200 draws can tell. */
const rounded = (value: number): number => Math.round(value * 10_000) / 10_000;

/** One line a prompt: the count of the run, then the mean count of each method that answered. */
export const csvOf = (view: WhatIfView): string => {
  const done = view.rows.flatMap((row) => (row.state === 'done' ? [row] : []));
  const head = ['prompt', 'as_run', ...done.map(idOf)];
  const lines = view.prompts.map((prompt, i) => [
    prompt,
    view.asRunCounts[i] ?? 0,
    ...done.map(({ outcome }) => rounded(outcome.counts[i] ?? Number.NaN)),
  ]);
  return `${[head, ...lines].map((line) => line.map(cell).join(',')).join('\r\n')}\r\n`;
};

const estimate = ({ mean, low, high }: WhatIfEstimate) => ({
  mean: rounded(mean),
  low: rounded(low),
  high: rounded(high),
});

/** Everything, with what the numbers rest on. */
export const jsonOf = (view: WhatIfView): string => {
  const { asRun, asRunCounts, rows, prompts, ...rest } = view;
  const outcomeOf = (outcome: NonNullable<typeof asRun>) => ({
    rollouts: estimate(outcome.rollouts),
    gradientGroups: estimate(outcome.gradientGroups),
    groups: rounded(outcome.groups),
    successes: estimate(outcome.successes),
    tokens: estimate(outcome.tokens),
    simulatedShare: rounded(outcome.simulated),
    leftOut: outcome.leftOut,
    byStep: outcome.byStep,
    counts: Array.from(outcome.counts, rounded),
  });
  const data = {
    ...rest,
    prompts,
    asRun: { counts: Array.from(asRunCounts), ...(asRun ? { outcome: outcomeOf(asRun) } : {}) },
    methods: rows.map((row) => (row.state === 'done' ? { ...row, outcome: outcomeOf(row.outcome) } : row)),
  };
  return `${JSON.stringify(data, null, 2)}\n`;
};

/** Texts that YAML would read as something else are quoted. */
const scalar = (value: number | boolean | string): string =>
  typeof value === 'string' && !/^[A-Za-z][A-Za-z0-9_-]*$/.test(value)
    ? JSON.stringify(value)
    : String(value);

/** Method and parameters as YAML, for the config of a next run. */
export const configOf = ({ method, parameters }: WhatIfMethod): string => {
  const lines = Object.entries(parameters).map(([name, value]) => `    ${name}: ${scalar(value)}`);
  return [
    'allocation:',
    `  method: ${scalar(method)}`,
    ...(lines.length > 0 ? ['  parameters:', ...lines] : []),
  ]
    .concat('')
    .join('\n');
};

export const fileName = ({ steps }: WhatIfView, ending: string): string =>
  `what-if-step-${steps.length > 1 ? `${steps[0] ?? 0}-` : ''}${steps.at(-1) ?? 0}.${ending}`;
