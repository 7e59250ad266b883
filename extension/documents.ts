import { EventEmitter, Uri, ViewColumn, window, workspace, type TextDocumentContentProvider } from 'vscode';
import { DisposableStore, type Disposable } from './lifecycle';

const SCHEME = 'rolloutscope';
const KEPT = 20;

/** Read-only texts (a decision, the events of a subject). Plain text: what comes from a job is never markup. */
export class Documents implements TextDocumentContentProvider, Disposable {
  private readonly parts = new DisposableStore();
  private readonly texts = new Map<string, string>();
  private readonly changes = new EventEmitter<Uri>();
  readonly onDidChange = this.changes.event;

  constructor() {
    this.parts.add(this.changes);
    this.parts.add(workspace.registerTextDocumentContentProvider(SCHEME, this));
  }

  /** A document that is not kept any more, after a reload above all, says so. */
  provideTextDocumentContent(uri: Uri): string | undefined {
    return this.texts.get(uri.toString());
  }

  async show(title: string, text: string): Promise<void> {
    const name = title.replace(/[^\p{L}\p{N}._ -]+/gu, '_').slice(0, 80);
    const uri = Uri.from({ scheme: SCHEME, path: `/${name}.txt` });
    this.texts.delete(uri.toString());
    this.texts.set(uri.toString(), text);
    const oldest = this.texts.keys().next();
    if (this.texts.size > KEPT && oldest.done !== true) this.texts.delete(oldest.value);
    this.changes.fire(uri);
    const document = await workspace.openTextDocument(uri);
    const shown = window.visibleTextEditors.find((editor) => editor.document.uri.scheme === SCHEME);
    const viewColumn = shown?.viewColumn ?? ViewColumn.Beside;
    await window.showTextDocument(document, { viewColumn, preview: true, preserveFocus: false });
  }

  dispose(): void {
    this.parts.dispose();
  }
}
