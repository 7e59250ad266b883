import type { AllocationMethod } from '../allocation/allocator';
import { ALLOCATION_FAMILIES } from '../allocation/allocator';
import { inputInWords } from '../allocation/inputs';
import type { AllocationInput } from '../allocation/inputs';
import { allocationMethods } from '../allocation/methods';
import type { Parameter } from '../parameters';
import { NOT_OFFERED } from './notOffered';

/** Text of a table's cell: a bar would end it. */
const cell = (text: string): string => text.replaceAll('|', '\\|');

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows.map((row) => row.map(cell))]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n');

const mark = ({ confidence }: AllocationMethod): string => (confidence === 'reconstructed' ? ' †' : '');

/** As the headings are linked to: small letters, spaces to hyphens, everything else left out. */
const anchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const heading = (method: AllocationMethod): string => `${method.title}${mark(method)}`;

function sourceOf({ source: { paper, equation, code, commit } }: AllocationMethod): string {
  const read = [paper, equation].filter((part) => part !== '').join(', ');
  if (code === '') return `${read}.`;
  return `${read}. Code: \`${code}\`${commit === '' ? '' : ` at \`${commit}\``}.`;
}

function inWords(inputs: readonly AllocationInput[]): string {
  return inputs.length === 0
    ? 'nothing'
    : inputs.map((input) => `${inputInWords(input)} (\`${input}\`)`).join(', ');
}

function valuesOf(parameter: Parameter): string {
  switch (parameter.kind) {
    case 'boolean':
      return 'true, false';
    case 'choice':
      return parameter.choices.join(', ');
    default:
      return `${parameter.minimum} to ${parameter.maximum}${parameter.kind === 'integer' ? ', whole' : ''}`;
  }
}

function parametersOf({ parameters }: AllocationMethod): string {
  if (parameters.length === 0) return 'No parameters.';
  return table(
    ['parameter', 'default', 'values', 'unit', 'what'],
    parameters.map((parameter) => [
      `\`${parameter.name}\``,
      parameter.default === undefined ? 'none published: give one' : String(parameter.default),
      valuesOf(parameter),
      parameter.unit,
      parameter.doc,
    ]),
  );
}

function section(method: AllocationMethod): string {
  const { id, summary, family, confidence, keepsTotal, optimal, needs, uses, caveats = [] } = method;
  const facts = [
    `Id: \`${id}\`. Family: ${family}.`,
    `Source: ${sourceOf(method)}`,
    confidence === 'exact'
      ? 'Confidence: exact, read in the paper or in its code.'
      : 'Confidence: **reconstructed** from secondary sources.',
    keepsTotal
      ? 'Total: hands out exactly the budget of the step.'
      : 'Total: follows from the rule; it need not be the budget of the step.',
    ...(optimal === undefined
      ? []
      : [optimal ? 'Optimal by its own objective.' : 'Greedy: **not optimal** by its own objective.']),
    `Needs: ${inWords(needs)}.`,
    `Uses where recorded: ${inWords(uses)}.`,
    ...caveats.map((caveat) => `Note: ${caveat}`),
  ];
  return [
    `### ${heading(method)}`,
    summary,
    facts.map((fact) => `- ${fact}`).join('\n'),
    parametersOf(method),
  ].join('\n\n');
}

/** docs/methods.md, made from what the methods declare. */
export function methodsPage(): string {
  const sections = [
    '# Allocation methods',
    '<!-- Made from methods/allocation by `npm run generate`. Do not edit. -->',
    'Rules that decide how many rollouts a prompt gets, which prompts are skipped, and which rollouts are trained on. A method marked † is reconstructed from secondary sources: its paper or code was not read, and the notes name what was inferred. A parameter without a published value has no default here; the method asks for it. All numbers of a rule are checked against recorded cases in `test/vectors/allocation/` where there are any.',
    '## Families',
    table(['family', 'what'], Object.entries(ALLOCATION_FAMILIES)),
    '## Overview',
    table(
      ['method', 'family', 'source', 'needs of the record'],
      allocationMethods.map((method) => [
        `[${heading(method)}](#${anchor(heading(method))})`,
        method.family,
        method.source.paper === '' ? method.source.code : method.source.paper,
        method.needs.length === 0 ? 'nothing' : method.needs.map((need) => `\`${need}\``).join(', '),
      ]),
    ),
    '## Time',
    '`npm run --silent bench -- allocate` measures a whole step of 10,000 prompts, all its rounds. On one idle core a rule that answers once is meant to stay below 200 ms. Longer takes DORA, which compares every candidate with every other one, and take the rules that are asked again after each round (ASC, ESC, XRPO, AERO, FAR, DARS, VIGOR, V_0.5, Orchard BAR): up to 40 rounds, of which each is meant to stay below 200 ms.',
    '## Methods',
    ...allocationMethods.map(section),
    '## Not offered',
    'Known rules of which a part that decides the numbers was not read, or that cannot be worked out from the record of a run. They are left out rather than filled in.',
    table(
      ['rule', 'source', 'why'],
      NOT_OFFERED.map(({ title, paper, why }) => [title, paper, why]),
    ),
  ];
  return `${sections.join('\n\n')}\n`;
}
