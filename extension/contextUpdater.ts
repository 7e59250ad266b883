import { commands } from 'vscode';
import { CONTEXT_KEYS, contextValues, type ContextFacts, type ContextKey } from './contextKeys';

/** Tells VS Code the values of the context keys, each when it changes. */
export class ContextUpdater {
  private readonly known = new Map<ContextKey, boolean>();

  update(facts: ContextFacts): void {
    const values = contextValues(facts);
    for (const key of CONTEXT_KEYS) {
      if (this.known.get(key) === values[key]) continue;
      this.known.set(key, values[key]);
      void commands.executeCommand('setContext', key, values[key]);
    }
  }
}
