import { PIECES } from '../tasks/vocabulary';
import { readContainer, writeContainer } from './binaryContainer';
import { JsonFields } from './jsonFields';
import { parameterCount, viewParameters } from './policyParameters';
import type { PolicyParameters, PolicyShape } from './policyParameters';

const MAGIC = 'RSPW';
const VERSION = 1;
const WHAT = 'weights file of the sample policy';

export interface PolicyWeights {
  readonly parameters: PolicyParameters;
  /** What made them, as the recipe's author wrote it: JSON, shown and compared, never interpreted. */
  readonly recipe: unknown;
  /** Eight hexadecimal digits; equal weights have equal ones. */
  readonly checksum: string;
}

/** The bytes of a weights file: header with shape, vocabulary and recipe, then the parameters. */
export function saveWeights(parameters: PolicyParameters, recipe: object): Uint8Array {
  const header = { version: VERSION, shape: parameters.shape, pieces: PIECES, recipe };
  return writeContainer(MAGIC, header, [Float32Array.from(parameters.values)]);
}

/** Reads a weights file. Throws an Error that says what is wrong with it. */
export function loadWeights(bytes: Uint8Array): PolicyWeights {
  const { header, arrays, checksum } = readContainer(bytes, MAGIC, WHAT, (json) => {
    const fields = new JsonFields(json, 'header');
    if (fields.integer('version') !== VERSION) {
      throw new Error(`This ${WHAT} has version ${fields.integer('version')}; version ${VERSION} is needed.`);
    }
    return [parameterCount(readShape(fields.fields('shape')))];
  });
  const fields = new JsonFields(header, 'header');
  const pieces = fields.strings('pieces');
  if (pieces.length !== PIECES.length || pieces.some((piece, i) => piece !== PIECES[i])) {
    throw new Error(`This ${WHAT} was made for another vocabulary. Make the weights again.`);
  }
  return {
    parameters: viewParameters(readShape(fields.fields('shape')), arrays[0]!),
    recipe: fields.value('recipe'),
    checksum,
  };
}

/** A policy's shape from JSON. */
export function readShape(fields: JsonFields): PolicyShape {
  return {
    vocabulary: fields.integer('vocabulary', 1),
    hidden: fields.integer('hidden', 1),
    query: fields.integer('query', 1),
    positions: fields.integer('positions', 0),
  };
}
