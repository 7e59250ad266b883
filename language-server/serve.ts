import {
  CodeActionKind,
  DidChangeConfigurationNotification,
  LSPErrorCodes,
  ResponseError,
  TextDocuments,
  TextDocumentSyncKind,
} from 'vscode-languageserver/node';
import type {
  CancellationToken,
  Connection,
  InitializeResult,
  PublishDiagnosticsParams,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import {
  DESCRIBE_CONFIG,
  EDITOR_SETTINGS_SECTION,
  parseDescribeConfigParams,
  parseEditorSettings,
} from '../protocol/editor/editor';
import type { DescribeConfigResult, EditorSettings } from '../protocol/editor/editor';
import { CheckScheduler } from './checkScheduler';
import type { Snapshot } from './checkScheduler';
import type { FindingSeverity } from './finding';
import { toCodeActions, toCompletionItem, toDiagnostic, toHover } from './lspForms';
import { openConfig } from './openConfig';
import type { OpenConfig } from './openConfig';
import { Positions } from './text/positions';
import { languageById, workspaceFiles } from './workspaceFiles';

/** Quiet time after a keystroke before the file is checked, in milliseconds. */
const CHECK_DELAY_MS = 120;

/** A version of a document, told apart from an equal number after it was closed and opened again. */
interface Moment extends Snapshot {
  readonly document: TextDocument;
}

function momentOf(document: TextDocument): Moment {
  return { uri: document.uri, version: document.version, document };
}

interface Opened {
  readonly version: number;
  readonly config: Promise<OpenConfig | null>;
}

/** Serves LSP on a connection. Everything it says is computed by {@link openConfig}; this only carries it. */
export function serve(connection: Connection): void {
  const documents = new TextDocuments(TextDocument);
  const settings = new Map<string, Promise<EditorSettings>>();
  const opened = new Map<string, Opened>();
  const files = workspaceFiles((uri) => documents.get(uri)?.getText());
  let asksForSettings = false;

  const settingsOf = (uri: string): Promise<EditorSettings> => {
    const known = settings.get(uri);
    if (known) return known;
    const asked: Promise<unknown> = asksForSettings
      ? connection.workspace.getConfiguration({ scopeUri: uri, section: EDITOR_SETTINGS_SECTION })
      : Promise.resolve(null);
    const parsed = asked.then(parseEditorSettings, () => parseEditorSettings(null));
    settings.set(uri, parsed);
    return parsed;
  };

  const configOf = (document: TextDocument): Promise<OpenConfig | null> => {
    const known = opened.get(document.uri);
    if (known?.version === document.version) return known.config;
    const text = document.getText();
    const language = languageById(document.languageId);
    const config = settingsOf(document.uri).then((each) =>
      openConfig(text, document.uri, each, language, files),
    );
    opened.set(document.uri, { version: document.version, config });
    return config;
  };

  const isCurrent = ({ uri, version, document }: Moment): boolean =>
    documents.get(uri) === document && document.version === version;

  /** Answers about the text as it is now; an answer that comes too late is withdrawn, not given. */
  const answer = async <Result>(
    uri: string,
    token: CancellationToken,
    ask: (config: OpenConfig, document: TextDocument) => Result,
  ): Promise<Result | null> => {
    const document = documents.get(uri);
    if (!document) return null;
    const moment = momentOf(document);
    const config = await configOf(document);
    if (token.isCancellationRequested) throw new ResponseError(LSPErrorCodes.RequestCancelled, 'cancelled');
    if (!isCurrent(moment)) throw new ResponseError(LSPErrorCodes.ContentModified, 'the text has changed');
    return config && ask(config, document);
  };

  const publish = (params: PublishDiagnosticsParams): void => {
    // Fails only when the client is gone, and then nobody is there to be told.
    connection.sendDiagnostics(params).catch(() => undefined);
  };

  const scheduler = new CheckScheduler<Moment, OpenConfig | null>({
    check: ({ document }) => configOf(document),
    isCurrent,
    publish: ({ uri, version }, config) => {
      const diagnostics = (config?.findings ?? []).map(toDiagnostic);
      publish({ uri, version, diagnostics });
    },
    fail: ({ uri }, error) => {
      connection.console.error(`Checking ${uri} failed: ${String(error)}`);
    },
    timer: (callback, delay) => {
      const handle = setTimeout(callback, delay);
      return () => clearTimeout(handle);
    },
    delay: CHECK_DELAY_MS,
  });

  const forgetSettings = (): void => {
    settings.clear();
    opened.clear();
    for (const document of documents.all()) scheduler.schedule(momentOf(document));
  };

  connection.onInitialize(({ capabilities }): InitializeResult => {
    asksForSettings = capabilities.workspace?.configuration === true;
    return {
      capabilities: {
        textDocumentSync: TextDocumentSyncKind.Incremental,
        hoverProvider: true,
        codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix] },
        completionProvider: { triggerCharacters: [' '] },
      },
    };
  });
  connection.onInitialized(() => {
    if (!asksForSettings) return;
    connection.client
      .register(DidChangeConfigurationNotification.type, { section: EDITOR_SETTINGS_SECTION })
      .catch((error: unknown) =>
        connection.console.warn(`Changed settings will go unnoticed: ${String(error)}`),
      );
  });

  connection.onDidChangeConfiguration(forgetSettings);
  connection.onShutdown(() => scheduler.dispose());

  documents.onDidChangeContent(({ document }) => scheduler.schedule(momentOf(document)));
  documents.onDidClose(({ document: { uri } }) => {
    scheduler.cancel(uri);
    settings.delete(uri);
    opened.delete(uri);
    publish({ uri, diagnostics: [] });
  });

  connection.onHover(({ textDocument, position }, token) =>
    answer(textDocument.uri, token, (config, document) => {
      const hover = config.hover(document.offsetAt(position));
      return hover && toHover(hover, new Positions(document.getText()));
    }),
  );
  connection.onCompletion(({ textDocument, position }, token) =>
    answer(textDocument.uri, token, (config, document) =>
      config.complete(document.offsetAt(position)).map(toCompletionItem),
    ),
  );
  connection.onCodeAction(({ textDocument, range }, token) =>
    answer(textDocument.uri, token, (config, document) =>
      toCodeActions(document.uri, document.version, config.findings, range),
    ),
  );
  connection.onRequest(
    DESCRIBE_CONFIG,
    async (params: unknown, token: CancellationToken): Promise<DescribeConfigResult> => {
      const asked = parseDescribeConfigParams(params);
      if (!asked) throw new ResponseError(-32602, `${DESCRIBE_CONFIG} takes {uri}`);
      return answer(asked.uri, token, (config, document) => ({
        uri: document.uri,
        documentVersion: document.version,
        ...config.description,
        findings: countFindings(config),
      }));
    },
  );

  documents.listen(connection);
  connection.listen();
}

function countFindings(config: OpenConfig): Record<FindingSeverity, number> {
  const counts = { error: 0, warning: 0, information: 0, hint: 0 };
  for (const finding of config.findings) counts[finding.severity] += 1;
  return counts;
}
