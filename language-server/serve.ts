import {
  CodeActionKind,
  DidChangeConfigurationNotification,
  LSPErrorCodes,
  ResponseError,
  TextDocuments,
  TextDocumentSyncKind,
} from 'vscode-languageserver/node';
import type { CancellationToken, Connection, InitializeResult } from 'vscode-languageserver/node';
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

/** Quiet time after a keystroke before the file is checked, in milliseconds. */
const CHECK_DELAY_MS = 120;

interface Opened {
  readonly version: number;
  readonly config: Promise<OpenConfig | null>;
}

/** Serves LSP on a connection. Everything it says is computed by {@link openConfig}; this only carries it. */
export function serve(connection: Connection): void {
  const documents = new TextDocuments(TextDocument);
  const settings = new Map<string, Promise<EditorSettings>>();
  const opened = new Map<string, Opened>();
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
    const config = settingsOf(document.uri).then((each) => openConfig(text, document.uri, each));
    opened.set(document.uri, { version: document.version, config });
    return config;
  };

  const isCurrent = ({ uri, version }: Snapshot): boolean => documents.get(uri)?.version === version;

  /** Answers about the text as it is now; an answer that comes too late is withdrawn, not given. */
  const answer = async <Result>(
    uri: string,
    token: CancellationToken,
    ask: (config: OpenConfig, document: TextDocument) => Result,
  ): Promise<Result | null> => {
    const document = documents.get(uri);
    if (!document) return null;
    const snapshot = { uri, version: document.version };
    const config = await configOf(document);
    if (token.isCancellationRequested) throw new ResponseError(LSPErrorCodes.RequestCancelled, 'cancelled');
    if (!isCurrent(snapshot)) throw new ResponseError(LSPErrorCodes.ContentModified, 'the text has changed');
    return config && ask(config, document);
  };

  const scheduler = new CheckScheduler<OpenConfig | null>({
    check: async ({ uri }) => {
      const document = documents.get(uri);
      return document ? configOf(document) : null;
    },
    isCurrent,
    publish: ({ uri, version }, config) => {
      const diagnostics = (config?.findings ?? []).map(toDiagnostic);
      void connection.sendDiagnostics({ uri, version, diagnostics });
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
    for (const { uri, version } of documents.all()) scheduler.schedule({ uri, version });
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
    if (asksForSettings)
      void connection.client.register(DidChangeConfigurationNotification.type, {
        section: EDITOR_SETTINGS_SECTION,
      });
  });
  connection.onDidChangeConfiguration(forgetSettings);
  connection.onShutdown(() => scheduler.dispose());

  documents.onDidChangeContent(({ document: { uri, version } }) => scheduler.schedule({ uri, version }));
  documents.onDidClose(({ document: { uri } }) => {
    scheduler.cancel(uri);
    settings.delete(uri);
    opened.delete(uri);
    void connection.sendDiagnostics({ uri, diagnostics: [] });
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
