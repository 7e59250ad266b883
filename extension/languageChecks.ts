import { workspace, type ExtensionContext, type LogOutputChannel, type TextDocument } from 'vscode';
import type { ConfigChecks } from './configs/languageClient';
import { DisposableStore, messageOf, type Disposable } from './lifecycle';

/** Language ids of what experiments are configured in. */
const CONFIG_LANGUAGES: ReadonlySet<string> = new Set(['yaml', 'toml', 'shellscript']);

/** Starts the config checks when the first file of such a language is open; before that nothing of them is loaded. */
export class LanguageChecks implements Disposable {
  private readonly parts = new DisposableStore();
  private checks: Promise<ConfigChecks | null> | null = null;

  constructor(
    private readonly context: ExtensionContext,
    private readonly log: LogOutputChannel,
  ) {
    this.parts.add(workspace.onDidOpenTextDocument((document) => this.onOpen(document)));
    for (const document of workspace.textDocuments) this.onOpen(document);
  }

  dispose(): void {
    this.parts.dispose();
  }

  /** Starts them anew, or for the first time. */
  async restart(): Promise<void> {
    if (!this.checks) {
      await this.start();
      return;
    }
    try {
      await (await this.checks)?.restart();
    } catch (error) {
      this.log.error(`the config checks did not start again: ${messageOf(error)}`);
    }
  }

  private onOpen({ languageId }: TextDocument): void {
    if (CONFIG_LANGUAGES.has(languageId)) void this.start();
  }

  private start(): Promise<ConfigChecks | null> {
    this.checks ??= this.load();
    return this.checks;
  }

  private async load(): Promise<ConfigChecks | null> {
    try {
      const { startLanguageClient } = await import('./configs/languageClient');
      return this.parts.add(startLanguageClient(this.context, this.log));
    } catch (error) {
      this.log.error(`the config checks could not be loaded: ${messageOf(error)}`);
      return null;
    }
  }
}
