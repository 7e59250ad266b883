import type { LogOutputChannel } from 'vscode';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { DESCRIBE_CONFIG } from '../../protocol/editor/editor';
import { startLanguageClient } from './languageClient';

/** Stands in for the client of vscode-languageclient: no process, and every step is written down. */
const fake = vi.hoisted(() => {
  const steps: string[] = [];
  const made: unknown[][] = [];
  const state: { failStart: boolean; answer: unknown } = { failStart: false, answer: null };
  return { steps, made, ...state };
});

vi.mock('vscode-languageclient/node', () => ({
  State: { Stopped: 1, Running: 2, Starting: 3 },
  TransportKind: { ipc: 1 },
  LanguageClient: class {
    state = 1;
    constructor(...made: unknown[]) {
      fake.made.push(made);
    }
    async start(): Promise<void> {
      fake.steps.push('start');
      await Promise.resolve();
      if (fake.failStart) throw new Error('no such file');
      this.state = 2;
    }
    async stop(): Promise<void> {
      fake.steps.push('stop');
      await Promise.resolve();
      this.state = 1;
    }
    async dispose(): Promise<void> {
      fake.steps.push('dispose');
      await Promise.resolve();
    }
    async sendRequest(method: string, params: unknown): Promise<unknown> {
      fake.steps.push(`${method} ${JSON.stringify(params)}`);
      return Promise.resolve(fake.answer);
    }
  },
}));

function start() {
  const errors: string[] = [];
  const context = { asAbsolutePath: (path: string) => `/extension/${path}` };
  const log: Partial<LogOutputChannel> = {
    error: (text) => void errors.push(String(text)),
    warn: () => undefined,
  };
  const checks = startLanguageClient(context, log as LogOutputChannel);
  return { checks, errors };
}

const settle = (): Promise<void> => new Promise((done) => setImmediate(done));

beforeEach(() => {
  fake.steps.length = 0;
  fake.made.length = 0;
  fake.failStart = false;
  fake.answer = null;
});

describe('startLanguageClient', () => {
  it('starts the bundled server over IPC, for the languages of configs only', () => {
    start();
    const text = JSON.stringify(fake.made[0]);
    expect(text).toContain('"module":"/extension/dist/language-server.js","transport":1');
    expect([...text.matchAll(/"language":"(\w+)"/g)].map(([, language]) => language)).toEqual([
      'yaml',
      'yaml',
      'toml',
      'toml',
      'shellscript',
      'shellscript',
    ]);
  });

  it('restarts once for calls that come together, and again for later ones', async () => {
    const { checks } = start();
    await Promise.all([checks.restart(), checks.restart(), checks.restart()]);
    expect(fake.steps).toEqual(['start', 'stop', 'start']);
    await checks.restart();
    expect(fake.steps).toEqual(['start', 'stop', 'start', 'stop', 'start']);
  });

  it('logs a failed start, and can be started again', async () => {
    fake.failStart = true;
    const { checks, errors } = start();
    await settle();
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain('no such file');
    await expect(checks.restart()).rejects.toThrow('no such file');
    fake.failStart = false;
    await checks.restart();
    expect(fake.steps).toEqual(['start', 'start', 'start']);
  });

  it('refuses an answer of another form', async () => {
    const { checks } = start();
    expect(await checks.describe('file:///x')).toBeNull();
    expect(fake.steps.at(-1)).toBe(`${DESCRIBE_CONFIG} {"uri":"file:///x"}`);
    fake.answer = { uri: 'file:///x' };
    await expect(checks.describe('file:///x')).rejects.toThrow(TypeError);
  });

  it('ends the server with itself', async () => {
    const { checks } = start();
    checks.dispose();
    await settle();
    expect(fake.steps).toEqual(['start', 'dispose']);
  });
});
