import { useSignal } from '@preact/signals';
import { resolveParameters, type Parameter } from '../../methods/parameters';
import type { WhatIfMethod } from '../../protocol/panels/whatIf';
import { Checkbox, Dropdown, TextField } from '../shared/controls';
import { plainValue } from '../shared/format';
import { change, methodOf } from './whatIfState';
import { wi } from './whatIfTexts';

type Value = number | boolean | string;

/** What is wrong with a value, in words; null: nothing. */
const problemOf = (declared: Parameter, value: Value | undefined): string | null => {
  try {
    resolveParameters([declared], value === undefined ? {} : { [declared.name]: value });
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

/** A number as people write it: `.5` and `−2` too; NaN: it is none. */
const readNumber = (text: string): number => {
  const trimmed = text.trim().replace('−', '-');
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(trimmed) ? Number(trimmed) : Number.NaN;
};

const Field = ({
  declared,
  value,
  onValue,
}: {
  declared: Parameter;
  value: Value | undefined;
  onValue: (value: Value | undefined) => void;
}) => {
  const typed = useSignal<string | null>(null);
  if (declared.kind === 'boolean') {
    return (
      <Checkbox checked={value === true} onChange={onValue}>
        {declared.name}
      </Checkbox>
    );
  }
  if (declared.kind === 'choice') {
    return (
      <Dropdown
        label={declared.name}
        value={typeof value === 'string' ? value : declared.default}
        options={declared.choices.map((choice) => ({ value: choice, label: choice }))}
        onChange={onValue}
      />
    );
  }
  const shown = typed.value ?? (value === undefined ? '' : String(value));
  const number = readNumber(shown);
  const problem = problemOf(declared, shown.trim() === '' ? undefined : number);
  return (
    <>
      <TextField
        label={declared.name}
        value={shown}
        onInput={(text) => {
          typed.value = text;
          const next = text.trim() === '' ? undefined : readNumber(text);
          // What cannot be taken stays in the field with its reason, and the last good value in the comparison.
          if (next === undefined || problemOf(declared, next) === null) onValue(next);
        }}
      />
      <span class="rs-second">{declared.unit}</span>
      {problem !== null && (
        <span class="bu-problem wi-problem" role="alert">
          {problem}
        </span>
      )}
    </>
  );
};

/** A form made of what the method declares of its parameters: name, kind, range, unit, published value. */
export const WhatIfForm = ({ choice, place }: { choice: WhatIfMethod; place: number }) => (
  <div class="wi-form rs-small">
    {(methodOf(choice.method)?.parameters ?? []).map((declared) => (
      <div key={declared.name} class="wi-parameter">
        <span class="wi-name" title={declared.doc}>
          {declared.kind === 'boolean' ? '' : declared.name}
        </span>
        <span class="wi-field">
          <Field
            declared={declared}
            value={choice.parameters[declared.name]}
            onValue={(value) => {
              const others = Object.entries(choice.parameters).filter(([name]) => name !== declared.name);
              const own = value === undefined ? [] : [[declared.name, value] as const];
              change(place, { parameters: Object.fromEntries([...others, ...own]) });
            }}
          />
        </span>
        <span class="rs-second wi-doc">
          {declared.doc}{' '}
          {declared.default === undefined
            ? wi('notPublished')
            : wi('published', { value: plainValue(declared.default) })}
        </span>
      </div>
    ))}
  </div>
);
