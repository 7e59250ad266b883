/** Reads fields of JSON that came from a file. Errors name the field. */
export class JsonFields {
  readonly #fields: ReadonlyMap<string, unknown>;

  constructor(
    value: unknown,
    readonly what: string,
  ) {
    if (typeof value !== 'object' || value === null) {
      throw new Error(`${what} should be a JSON object. The file was made by another program.`);
    }
    this.#fields = new Map<string, unknown>(Object.entries(value));
  }

  value(name: string): unknown {
    return this.#fields.get(name);
  }

  fields(name: string): JsonFields {
    return new JsonFields(this.#fields.get(name), `${this.what}.${name}`);
  }

  string(name: string): string {
    const value = this.#fields.get(name);
    return typeof value === 'string' ? value : this.#fail(name, 'a text');
  }

  /** An integer of at least `least`. */
  integer(name: string, least = 0): number {
    const value = this.#fields.get(name);
    const fits = typeof value === 'number' && Number.isSafeInteger(value) && value >= least;
    return fits ? value : this.#fail(name, `an integer of at least ${least}`);
  }

  number(name: string): number {
    const value = this.#fields.get(name);
    return typeof value === 'number' ? value : this.#fail(name, 'a number');
  }

  strings(name: string): string[] {
    const value = this.#fields.get(name);
    if (!Array.isArray(value)) return this.#fail(name, 'a list of texts');
    return value.map((item: unknown) =>
      typeof item === 'string' ? item : this.#fail(name, 'a list of texts'),
    );
  }

  #fail(name: string, wanted: string): never {
    throw new Error(
      `${this.what}.${name} should be ${wanted}. The file was made by another version or is damaged.`,
    );
  }
}
