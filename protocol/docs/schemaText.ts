/** Short text of a JSON schema, for tables: `{n: integer, c?: integer[]}`. */
interface Node {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Node>>;
  readonly required?: readonly string[];
  readonly items?: Node | readonly Node[];
  readonly anyOf?: readonly Node[];
  readonly const?: unknown;
  readonly patternProperties?: Readonly<Record<string, Node>>;
  readonly description?: string;
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

export function schemaText(schema: unknown, depth = 0): string {
  if (!isNode(schema)) return 'anything';
  const fixed = schema.const;
  if (typeof fixed === 'string' || typeof fixed === 'number' || typeof fixed === 'boolean') {
    return `\`${fixed}\``;
  }
  if (schema.anyOf) {
    const parts = schema.anyOf.map((part) => schemaText(part, depth + 1));
    return parts.join(' \\| ');
  }
  if (schema.type === 'array') {
    const { items } = schema;
    if (Array.isArray(items)) return `[${items.map((item) => schemaText(item, depth + 1)).join(', ')}]`;
    return `array of ${schemaText(items, depth + 1)}`;
  }
  if (schema.type === 'object') {
    if (schema.patternProperties) {
      return `map of ${schemaText(Object.values(schema.patternProperties)[0], depth + 1)}`;
    }
    const fields = Object.entries(schema.properties ?? {});
    if (depth > 3) return 'object';
    const inner = fields.map(([name, field]) => {
      const optional = schema.required?.includes(name) === true ? '' : '?';
      return `${name}${optional}: ${schemaText(field, depth + 1)}`;
    });
    return `{${inner.join(', ')}}`;
  }
  return typeof schema.type === 'string' ? schema.type : 'anything';
}

/** Rows `| field | type | what |` of an object schema. */
export function fieldRows(schema: unknown): string[] {
  if (!isNode(schema)) return [];
  return Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const optional = schema.required?.includes(name) === true ? '' : '?';
    return `| \`${name}\`${optional} | ${schemaText(field)} | ${field.description ?? ''} |`;
  });
}
