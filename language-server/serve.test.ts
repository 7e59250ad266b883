import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import {
  createConnection,
  createProtocolConnection,
  CodeActionRequest,
  CompletionRequest,
  ConfigurationRequest,
  DidChangeConfigurationNotification,
  DidChangeTextDocumentNotification,
  DidCloseTextDocumentNotification,
  DidOpenTextDocumentNotification,
  HoverRequest,
  InitializedNotification,
  ShutdownRequest,
  PublishDiagnosticsNotification,
  RegistrationRequest,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import type { CodeAction, PublishDiagnosticsParams } from 'vscode-languageserver/node';
import { DESCRIBE_CONFIG, parseDescribeConfigResult } from '../protocol/editor/editor';
import { isRecord } from './json/jsonShape';
import { serve } from './serve';

const URI = 'file:///run/config.yaml';
const TEXT =
  'model_name_or_path: org/model\nper_device_train_batch_size: 1\nnum_generations: 8\nnum_generation: 4\n';

const endings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0)) await end();
});

/** A client that speaks real LSP with the server over streams in memory. */
async function connect(settings: Record<string, unknown>) {
  const [toServer, toClient] = [new PassThrough(), new PassThrough()];
  const server = createConnection(new StreamMessageReader(toServer), new StreamMessageWriter(toClient));
  serve(server);
  const client = createProtocolConnection(
    new StreamMessageReader(toClient),
    new StreamMessageWriter(toServer),
  );
  const published: PublishDiagnosticsParams[] = [];
  const waiting: (() => void)[] = [];
  client.onNotification(PublishDiagnosticsNotification.type, (params) => {
    published.push(params);
    for (const each of waiting.splice(0)) each();
  });
  client.onRequest(ConfigurationRequest.type, ({ items }) => items.map(() => settings));
  client.onRequest(RegistrationRequest.type, () => undefined);
  client.listen();
  endings.push(async () => {
    await client.sendRequest(ShutdownRequest.type);
    client.dispose();
    server.dispose();
  });
  await client.sendRequest('initialize', {
    processId: null,
    capabilities: { workspace: { configuration: true } },
  });
  await client.sendNotification(InitializedNotification.type, {});
  const open = (text: string, version = 1): Promise<void> =>
    client.sendNotification(DidOpenTextDocumentNotification.type, {
      textDocument: { uri: URI, languageId: 'yaml', version, text },
    });
  const change = (text: string, version: number): Promise<void> =>
    client.sendNotification(DidChangeTextDocumentNotification.type, {
      textDocument: { uri: URI, version },
      contentChanges: [{ text }],
    });
  const next = (): Promise<void> => new Promise((done) => waiting.push(done));
  return { client, published, open, change, next };
}

const codes = (params: PublishDiagnosticsParams | undefined): string[] =>
  (params?.diagnostics ?? []).map(({ code, severity }) => `${code ?? ''} ${severity ?? ''}`);

describe('the language server', () => {
  it('publishes findings with the version they are for, and takes them back on close', async () => {
    const { client, open, published, next } = await connect({ worldSize: 3, launcher: 'script' });
    await open(TEXT);
    await next();
    expect(published[0]?.version).toBe(1);
    expect(codes(published[0])).toEqual(['trl.TRL3 1', 'trl.nearMiss 2']);
    expect(published[0]?.diagnostics[0]?.source).toBe('rolloutscope');
    await client.sendNotification(DidCloseTextDocumentNotification.type, { textDocument: { uri: URI } });
    await next();
    expect(published[1]?.diagnostics).toEqual([]);
  });

  it('publishes only for the last of quick changes', async () => {
    const { open, change, published, next } = await connect({});
    await open(TEXT);
    for (let version = 2; version <= 20; version += 1)
      await change(`${TEXT}max_steps: ${version}\n`, version);
    await next();
    expect(published.map(({ version }) => version)).toEqual([20]);
  });

  it('asks for the settings anew when they change', async () => {
    const settings: Record<string, unknown> = { worldSize: 3, launcher: 'script' };
    const { client, open, published, next } = await connect(settings);
    await open('num_generations: 8\nper_device_train_batch_size: 1\n');
    await next();
    settings['worldSize'] = 8;
    await client.sendNotification(DidChangeConfigurationNotification.type, { settings: null });
    await next();
    expect(published.map(codes)).toEqual([['trl.TRL3 1'], []]);
  });

  it('answers hover, completion, quick fixes and the description at once, without waiting for the check', async () => {
    const { client, open } = await connect({ worldSize: 8 });
    await open(TEXT);
    const textDocument = { uri: URI };
    const hover = await client.sendRequest(HoverRequest.type, {
      textDocument,
      position: { line: 2, character: 4 },
    });
    expect(JSON.stringify(hover?.contents)).toContain('num_generations');
    expect(hover?.range).toEqual({ start: { line: 2, character: 0 }, end: { line: 2, character: 15 } });
    const items = await client.sendRequest(CompletionRequest.type, {
      textDocument,
      position: { line: 4, character: 0 },
    });
    expect(Array.isArray(items) && items.some(({ label }) => label === 'temperature')).toBe(true);
    const range = { start: { line: 3, character: 2 }, end: { line: 3, character: 2 } };
    const actions = await client.sendRequest(CodeActionRequest.type, {
      textDocument,
      range,
      context: { diagnostics: [] },
    });
    const [action] = (actions ?? []).filter((each): each is CodeAction => 'edit' in each);
    expect(action?.title).toBe('Remove num_generation');
    expect(action?.edit?.documentChanges).toEqual([
      {
        textDocument: { uri: URI, version: 1 },
        edits: [{ range: { start: { line: 3, character: 0 }, end: { line: 4, character: 0 } }, newText: '' }],
      },
    ]);
    const described = parseDescribeConfigResult(await client.sendRequest(DESCRIBE_CONFIG, { uri: URI }));
    expect(described).toMatchObject({ documentVersion: 1, worldSize: 8, batch: { promptsPerRound: 1 } });
  });

  it('withdraws an answer that the text has overtaken', async () => {
    const { client, open, change } = await connect({});
    await open(TEXT);
    const asked = client.sendRequest(HoverRequest.type, {
      textDocument: { uri: URI },
      position: { line: 2, character: 4 },
    });
    await change('a: 1\n', 2);
    await expect(asked).rejects.toMatchObject({ code: -32801 });
  });

  it('is silent on other files and refuses a malformed request', async () => {
    const { client, open, published, next } = await connect({});
    await open('services:\n  web: {}\n');
    await next();
    expect(published[0]?.diagnostics).toEqual([]);
    const params = { textDocument: { uri: URI }, position: { line: 0, character: 2 } };
    expect(await client.sendRequest(HoverRequest.type, params)).toBeNull();
    expect(await client.sendRequest(DESCRIBE_CONFIG, { uri: URI })).toBeNull();
    expect(await client.sendRequest(DESCRIBE_CONFIG, { uri: 'file:///not/open' })).toBeNull();
    await expect(client.sendRequest(DESCRIBE_CONFIG, { path: 1 })).rejects.toSatisfy(
      (error) => isRecord(error) && error['code'] === -32602,
    );
  });
});
