import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { SteeringRow } from '../protocol/panels/overview';
import { Row } from './views/rowTree';
import type { RunsNode } from './views/runItems';

/**
 * Arguments of commands. VS Code hands the rows of our own trees, but anybody may run a command with anything: what
 * is not of the right form counts as no argument.
 */
const RUNS_KINDS: ReadonlySet<unknown> = new Set([
  'section',
  'run',
  'found',
  'step',
  'fact',
  'older',
  'evaluations',
]);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** A row of one of our trees carries its node. */
const nodeOf = (value: unknown): unknown => (value instanceof Row ? value.node : value);

/** Rows of the Runs view carry their kind; rows of other views, and other things, do not. */
export function runsNode(value: unknown): RunsNode | null {
  const node = nodeOf(value);
  return isRunsNode(node) ? node : null;
}

function isRunsNode(value: unknown): value is RunsNode {
  if (!isObject(value) || !RUNS_KINDS.has(value['kind'])) return false;
  if (value['kind'] === 'found') return isObject(value['found']) && isObject(value['found']['discovery']);
  if (value['kind'] === 'step' && !isObject(value['row'])) return false;
  return value['kind'] === 'section' || value['kind'] === 'fact' || typeof value['key'] === 'string';
}

export function promptNode(
  value: unknown,
): { readonly prompt: string; readonly group: string | null } | null {
  const node = nodeOf(value);
  const row = isObject(node) && node['kind'] === 'prompt' ? node['row'] : node;
  if (!isObject(row) || typeof row['prompt'] !== 'string') return null;
  return { prompt: row['prompt'], group: typeof row['group'] === 'string' ? row['group'] : null };
}

export function steeringNode(value: unknown): SteeringRow | null {
  const node = nodeOf(value);
  return isSteeringRow(node) ? node : null;
}

const isSteeringRow = (value: unknown): value is SteeringRow =>
  isObject(value) &&
  ['command', 'action', 'state', 'author', 'sentence'].every((name) => typeof value[name] === 'string');

const AddressArgument = Type.Object({
  address: Type.String({ minLength: 1, maxLength: 2048 }),
  token: Type.Optional(Type.String({ minLength: 8, maxLength: 512 })),
});

/** For other extensions and scripts: `executeCommand('rolloutscope.attach', { address, token })`. */
export function addressArgument(
  value: unknown,
): { readonly address: string; readonly token: string | null } | null {
  if (!Value.Check(AddressArgument, value)) return null;
  return { address: value.address, token: value.token ?? null };
}
