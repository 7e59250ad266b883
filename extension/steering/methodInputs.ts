import { window } from 'vscode';
import type { RunHeader } from '../../protocol/panels/selection';
import { t } from '../l10n';
import { plain } from '../statusText';
import { pick } from './ask';
import { declaredParameter, readParameter } from './methodParameters';
import { readNumber } from './readNumbers';
import type { Own } from './request';

/** Questions of the method of a run and of its parameters. */

type Method = RunHeader['methods'][number];

/** @param kind of method; undefined: all are offered. */
export async function askMethod(
  { methods }: RunHeader,
  kind: string | undefined,
): Promise<{ readonly method: Method; readonly parameters: Own<'setMethod'>['parameters'] } | undefined> {
  const choices = methods
    .filter((one) => kind === undefined || one.kind === kind)
    .map((value) => ({
      label: plain(value.title),
      description: value.active ? t('{0}, active', value.kind) : value.kind,
      detail: parametersText(value.parameters),
      value,
    }));
  const method = await pick(choices, t('Change Method'), t('From the next step on.'));
  if (!method) return undefined;
  const parameters = await askParameters(method);
  return parameters && { method, parameters };
}

const parametersText = (parameters: Method['parameters']): string =>
  Object.entries(parameters)
    .map(([name, value]) => `${name} = ${String(value)}`)
    .join(', ');

async function askParameters(method: Method): Promise<Own<'setMethod'>['parameters'] | undefined> {
  const parameters = { ...method.parameters };
  for (;;) {
    const names = Object.keys(parameters);
    if (names.length === 0) return parameters;
    const name = await pick(
      [
        { label: t('$(check) Use these'), value: null },
        ...names.map((value) => ({ label: plain(value), description: String(parameters[value]), value })),
      ],
      plain(method.title),
      t('Change a parameter, or use these.'),
    );
    if (name === undefined) return undefined;
    if (name === null) return parameters;
    const value = await askParameter(method, name, parameters[name]);
    if (value !== undefined) parameters[name] = value;
  }
}

type Value = NonNullable<Method['parameters'][string]>;

/** A value as the method declares it: a list, or a text that is checked while it is typed. */
async function askParameter(
  { kind, method, title }: Method,
  name: string,
  before: Value | null | undefined,
): Promise<Value | null | undefined> {
  const declared = declaredParameter(kind, method, name);
  if (declared?.kind === 'choice' || declared?.kind === 'boolean') {
    const values = declared.kind === 'choice' ? declared.choices : [true, false];
    return pick(
      values.map((value) => ({
        label: String(value),
        description: value === before ? t('now') : '',
        value,
      })),
      `${plain(title)}: ${name}`,
      declared.doc,
    );
  }
  const text = await window.showInputBox({
    ignoreFocusOut: true,
    title: plain(title),
    prompt: declared ? `${name}. ${declared.doc}` : plain(name),
    value: String(before),
    validateInput: (input) => {
      const answer = declared && readParameter(declared, input);
      return answer && 'problem' in answer ? answer.problem : undefined;
    },
  });
  if (text === undefined) return undefined;
  const answer = declared && readParameter(declared, text);
  return answer && 'value' in answer ? answer.value : likeBefore(text, before);
}

function likeBefore(
  text: string,
  before: string | number | boolean | null | undefined,
): string | number | boolean | null {
  if (typeof before === 'boolean') return text.trim() === 'true';
  const number = readNumber(text);
  if (typeof before === 'number') return number ?? before;
  return before === null || before === undefined ? (number ?? (text === 'null' ? null : text)) : text;
}
