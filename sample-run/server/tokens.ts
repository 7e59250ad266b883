import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { Type, type Static } from '@sinclair/typebox';
import type { Scope } from '../../protocol/wire/handshake';
import { check } from '../../protocol/wire/rpc';

const Token = Type.String({ minLength: 16, maxLength: 256 });
export const TokenPair = Type.Object({ read: Token, steer: Token });
export type TokenPair = Static<typeof TokenPair>;

const newToken = (): string => randomBytes(24).toString('base64url');

/** Tokens of a run: kept beside its journal, so that a restart does not turn everybody away. */
export async function loadTokens(path: string): Promise<TokenPair> {
  try {
    return check(TokenPair, JSON.parse(await readFile(path, 'utf8')), 'tokens');
  } catch {
    const pair: TokenPair = { read: newToken(), steer: newToken() };
    try {
      await writeFile(`${path}.new`, `${JSON.stringify(pair)}\n`, { mode: 0o600 });
      await rename(`${path}.new`, path);
    } catch {
      // A disk that takes no file still leaves these tokens for this start.
    }
    return pair;
  }
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Scope of an `Authorization` header; null: none. Takes the same time whichever token is wrong, and where. */
export function scopeOf(header: string | undefined, tokens: TokenPair): Scope | null {
  const given = digest(/^Bearer ([!-~]{1,256})$/i.exec(header ?? '')?.[1] ?? '');
  const steer = timingSafeEqual(given, digest(tokens.steer));
  const read = timingSafeEqual(given, digest(tokens.read));
  return steer ? 'steer' : read ? 'read' : null;
}
