import { workspace, type ExtensionContext, type LogOutputChannel, type TextDocument } from 'vscode';
import { DisposableStore, messageOf, type Disposable } from './lifecycle';

/** Starts the config checks when the first YAML file is open; before that nothing of them is loaded. */
export class LanguageChecks implements Disposable {
  private readonly parts = new DisposableStore();
  private started = false;

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

  private onOpen({ languageId }: TextDocument): void {
    if (this.started || languageId !== 'yaml') return;
    this.started = true;
    void this.start();
  }

  private async start(): Promise<void> {
    try {
      const { startLanguageClient } = await import('./configs/languageClient');
      this.parts.add(startLanguageClient(this.context, this.log));
    } catch (error) {
      this.log.error(`the config checks could not be loaded: ${messageOf(error)}`);
    }
  }
}
