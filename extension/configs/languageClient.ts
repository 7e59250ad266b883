import type { ExtensionContext, LogOutputChannel } from 'vscode';
import { LanguageClient, State, TransportKind } from 'vscode-languageclient/node';
import type { LanguageClientOptions, ServerOptions } from 'vscode-languageclient/node';
import { DESCRIBE_CONFIG, parseDescribeConfigResult } from '../../protocol/editor/editor';
import type { DescribeConfigParams, DescribeConfigResult } from '../../protocol/editor/editor';

/** The running client of the config checks; a Disposable. */
export interface ConfigChecks {
  dispose(): void;
  /** Ends the server and starts a new one. Calls while a restart runs share it. Rejects when the start fails. */
  restart(): Promise<void>;
  /**
   * What the server makes of an open document; null when it is no config that it knows.
   * Rejects when the server is not running, the text changed meanwhile, or the answer is not of its form.
   */
  describe(uri: string): Promise<DescribeConfigResult>;
}

const ID = 'rolloutscope.config';
/** Language ids of what experiments are configured in. */
const CONFIG_LANGUAGES = ['yaml', 'toml', 'shellscript'];
const NAME = 'Rolloutscope: experiment configs';
const LONGEST_STOP_MS = 2_000;

/**
 * Starts the language server in a process of its own and connects to it. Only documents of the
 * languages that configs are written in reach it; it is silent on those that are no experiment config. A start that fails is logged and can be tried again with `restart`.
 */
export function startLanguageClient(
  context: Pick<ExtensionContext, 'asAbsolutePath'>,
  log: LogOutputChannel,
): ConfigChecks {
  const module = context.asAbsolutePath('dist/language-server.js');
  const server: ServerOptions = {
    run: { module, transport: TransportKind.ipc },
    debug: { module, transport: TransportKind.ipc, options: { execArgv: ['--nolazy', '--inspect=0'] } },
  };
  const options: LanguageClientOptions = {
    documentSelector: CONFIG_LANGUAGES.flatMap((language) => [
      { scheme: 'file', language },
      { scheme: 'untitled', language },
    ]),
    outputChannel: log,
    // The settings are pulled by the server, per file; hover text is plain Markdown without commands.
    markdown: { isTrusted: false, supportHtml: false },
  };
  const client = new LanguageClient(ID, NAME, server, options);
  let running = start(client, log);
  let restarting: Promise<void> | undefined;

  return {
    restart() {
      restarting ??= running
        .catch(() => undefined)
        .then(() => (client.state === State.Running ? client.stop(LONGEST_STOP_MS) : undefined))
        .then(() => {
          running = start(client, log);
          return running;
        })
        .finally(() => {
          restarting = undefined;
        });
      return restarting;
    },
    async describe(uri) {
      const params: DescribeConfigParams = { uri };
      const answer: unknown = await client.sendRequest(DESCRIBE_CONFIG, params);
      const result = parseDescribeConfigResult(answer);
      if (result === undefined)
        throw new TypeError(`the language server's answer to ${DESCRIBE_CONFIG} has another form`);
      return result;
    },
    dispose() {
      void running
        .catch(() => undefined)
        .then(() => client.dispose(LONGEST_STOP_MS))
        .catch((error: unknown) => log.warn(`The config checks did not stop cleanly: ${String(error)}`));
    },
  };
}

/** Starts the client; a failure is logged here, so that nobody need wait for the promise. */
function start(client: LanguageClient, log: LogOutputChannel): Promise<void> {
  const started = client.start();
  started.catch((error: unknown) =>
    log.error(
      `The config checks did not start: ${String(error)}. Experiment files are not checked; restart them to try again.`,
    ),
  );
  return started;
}
