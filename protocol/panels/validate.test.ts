import { describe, expect, it } from 'vitest';
import { checkPanelMessage } from './validate';

const request = (name: string, body: unknown) => ({ rolloutscope: 'request', id: 1, name, body });
const event = (name: string, body: unknown) => ({ rolloutscope: 'event', name, body });

describe('messages of a page', () => {
  it.each([
    request('ready', { panel: 'overview' }),
    request('subscribe', { view: 'tree', params: { group: null, prompt: 'p', step: null, rule: null } }),
    request('query', { query: 'text', params: { rollout: 'r1', from: 0, to: 400 } }),
    request('command', { id: 'fork', node: 'n', at: 3 }),
    request('command', { id: 'allocate', subjects: [{ type: 'prompt', id: 'p' }], add: 8 }),
    event('ack', { subscription: 1, version: 7 }),
    event('select', { step: null, prompt: 'p' }),
  ])('takes %j', (message) => {
    expect(() => {
      checkPanelMessage(message);
    }).not.toThrow();
  });

  it.each([
    ['no envelope', { name: 'ready' }],
    ['nothing', null],
    ['an unknown request', request('eval', {})],
    ['a name from the prototype', request('constructor', {})],
    ['an answer, since pages are asked nothing', { rolloutscope: 'answer', id: 1, body: {} }],
    ['another panel', request('ready', { panel: 'settings' })],
    ['a view with the parameters of another', request('subscribe', { view: 'tree', params: { limit: 3 } })],
    ['a negative position', request('command', { id: 'fork', node: 'n', at: -1 })],
    ['a step that is no number', event('select', { step: '4' })],
    ['a command that VS Code knows', request('command', { id: 'workbench.action.terminal.new' })],
    ['a file name that leaves its folder', request('command', { id: 'save', name: '../x', text: '' })],
    ['a page of documentation with a scheme', request('command', { id: 'openDocs', page: 'https://x' })],
  ])('refuses %s', (_what, message) => {
    expect(() => {
      checkPanelMessage(message);
    }).toThrow(/panel/);
  });

  it('does not repeat the content in its error', () => {
    let message = '';
    try {
      checkPanelMessage(request('command', { id: 'fork', node: 5, at: 'SECRET' }));
    } catch (error) {
      message = String(error);
    }
    expect(message).toContain('panel.command');
    expect(message).not.toContain('SECRET');
  });
});
