import { parseAddress } from './address';
import type { Memory } from './runRegistry';

export const CONSENT_KEY = 'rolloutscope.usedOrigins';

/** Origins on other machines to which a person let this extension attach. */
export function consentedOrigins(memory: Memory): readonly unknown[] {
  const value = memory.get(CONSENT_KEY);
  return Array.isArray(value) ? value : [];
}

/** Whether an address may be attached to without asking: on this machine, or a person agreed to it before. */
export function mayUseUnasked(memory: Memory, address: string): boolean {
  const parsed = parseAddress(address);
  if ('problem' in parsed) return false;
  return parsed.loopback || consentedOrigins(memory).includes(parsed.origin);
}
