import { Refusal } from './refusal';

export type ParameterValue = number | boolean | string;
/** Parameters by name, complete and checked: what a rule reads, and what a decision records. */
export type Parameters = Readonly<Record<string, ParameterValue>>;

interface Declared {
  /** Name as used in settings, requests and records. */
  readonly name: string;
  /** One sentence: what it does, for forms, completions and the generated documentation. */
  readonly doc: string;
  /** 'rollouts', 'prompts', 'tokens', …; empty for a pure number. */
  readonly unit: string;
}

export interface NumberParameter extends Declared {
  readonly kind: 'number' | 'integer';
  /** Published value; undefined where none is known and a person has to give one. */
  readonly default: number | undefined;
  /** Both inclusive. */
  readonly minimum: number;
  readonly maximum: number;
}

export interface BooleanParameter extends Declared {
  readonly kind: 'boolean';
  readonly default: boolean;
}

export interface ChoiceParameter extends Declared {
  readonly kind: 'choice';
  readonly default: string;
  readonly choices: readonly string[];
}

export type Parameter = NumberParameter | BooleanParameter | ChoiceParameter;

export function numberParameter(
  name: string,
  value: number | undefined,
  [minimum, maximum]: readonly [number, number],
  doc: string,
  unit = '',
): NumberParameter {
  return { name, kind: 'number', default: value, minimum, maximum, unit, doc };
}

export function integerParameter(
  name: string,
  value: number | undefined,
  [minimum, maximum]: readonly [number, number],
  doc: string,
  unit: string,
): NumberParameter {
  return { name, kind: 'integer', default: value, minimum, maximum, unit, doc };
}

/** A count of rollouts. No method is offered more of one prompt than 65,536. */
export function rolloutsParameter(
  name: string,
  value: number | undefined,
  minimum: number,
  doc: string,
): NumberParameter {
  return integerParameter(name, value, [minimum, 65_536], doc, 'rollouts');
}

export function booleanParameter(name: string, value: boolean, doc: string): BooleanParameter {
  return { name, kind: 'boolean', default: value, unit: '', doc };
}

export function choiceParameter(
  name: string,
  value: string,
  choices: readonly string[],
  doc: string,
): ChoiceParameter {
  return { name, kind: 'choice', default: value, choices, unit: '', doc };
}

/** Value of a declared number; a rule's parameters are complete once `resolveParameters` has passed them. */
export function numberOf(parameters: Parameters, declared: NumberParameter): number {
  const value = parameters[declared.name];
  if (typeof value !== 'number') throw unresolved(declared.name);
  return value;
}

export function booleanOf(parameters: Parameters, declared: BooleanParameter): boolean {
  const value = parameters[declared.name];
  if (typeof value !== 'boolean') throw unresolved(declared.name);
  return value;
}

export function choiceOf(parameters: Parameters, declared: ChoiceParameter): string {
  const value = parameters[declared.name];
  if (typeof value !== 'string') throw unresolved(declared.name);
  return value;
}

const unresolved = (name: string): Error => new Error(`Parameter ${name} was read before it was resolved.`);

const problem = (declared: Parameter, value: ParameterValue): string | undefined => {
  switch (declared.kind) {
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'must be true or false';
    case 'choice':
      return declared.choices.some((choice) => choice === value)
        ? undefined
        : `must be one of ${declared.choices.join(', ')}`;
    default:
      if (typeof value !== 'number' || !Number.isFinite(value)) return 'must be a number';
      if (declared.kind === 'integer' && !Number.isInteger(value)) return 'must be a whole number';
      return value >= declared.minimum && value <= declared.maximum
        ? undefined
        : `must lie between ${declared.minimum} and ${declared.maximum}`;
  }
};

/** The declared defaults; a parameter without a published value is left out. */
export function publishedDefaults(declared: readonly Parameter[]): Parameters {
  const result: Record<string, ParameterValue> = {};
  for (const parameter of declared) {
    if (parameter.default !== undefined) result[parameter.name] = parameter.default;
  }
  return result;
}

/**
 * The given values over the declared defaults. Throws a Refusal that names the parameter for an unknown name, a
 * value of another type, one out of range, or none given where none is published.
 */
export function resolveParameters(declared: readonly Parameter[], given: Parameters = {}): Parameters {
  const result: Record<string, ParameterValue> = { ...publishedDefaults(declared) };
  for (const [name, value] of Object.entries(given)) {
    const parameter = declared.find((candidate) => candidate.name === name);
    if (parameter === undefined) {
      const known = declared.map((candidate) => candidate.name).join(', ');
      throw new Refusal('bad-parameter', `There is no parameter ${name}. Known: ${known || 'none'}.`);
    }
    const why = problem(parameter, value);
    if (why !== undefined) throw new Refusal('bad-parameter', `${name} is ${value}; it ${why}.`);
    result[name] = value;
  }
  const without = declared.find((parameter) => result[parameter.name] === undefined);
  if (without !== undefined) {
    throw new Refusal('bad-parameter', `${without.name} has no published value: give one. ${without.doc}`);
  }
  return result;
}
