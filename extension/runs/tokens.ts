import type { Log } from '../lifecycle';
import { messageOf } from '../lifecycle';

/** The part of VS Code’s SecretStorage that is used. */
export interface Secrets {
  get(key: string): Thenable<string | undefined>;
  store(key: string, value: string): Thenable<void>;
  delete(key: string): Thenable<void>;
}

const keyOf = (origin: string): string => `rolloutscope.token:${origin}`;

/**
 * Tokens that a person typed, by origin, in the system’s secret store and nowhere else: never in settings, the log
 * or the state of a panel. Tokens of runs that were found come from their discovery file each time.
 */
export class Tokens {
  constructor(
    private readonly secrets: Secrets,
    private readonly log: Log,
  ) {}

  /** null: there is none, or the store could not give it. */
  async get(origin: string): Promise<string | null> {
    try {
      return (await this.secrets.get(keyOf(origin))) ?? null;
    } catch (error) {
      // A store that lost its key cannot read what it holds: the entry is of no use to anyone.
      this.log.warn(`the token for ${origin} cannot be read: ${messageOf(error)}`);
      await this.forget(origin);
      return null;
    }
  }

  async set(origin: string, token: string): Promise<void> {
    try {
      await this.secrets.store(keyOf(origin), token);
    } catch (error) {
      this.log.warn(`the token for ${origin} is kept for this window only: ${messageOf(error)}`);
    }
  }

  async forget(origin: string): Promise<void> {
    try {
      await this.secrets.delete(keyOf(origin));
    } catch (error) {
      this.log.warn(`the token for ${origin} could not be deleted: ${messageOf(error)}`);
    }
  }
}

/** Why a text is no token, for the input box; null when it may be one. */
export function tokenProblem(text: string): 'empty' | 'form' | null {
  const token = text.trim();
  if (token === '') return 'empty';
  // A header value: printable, without spaces.
  return /^[\x21-\x7e]{8,512}$/.test(token) ? null : 'form';
}
