import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DEFAULT_EDITOR_SETTINGS } from '../protocol/editor/editor';
import { PANELS } from '../protocol/panels/messages';
import { COMMANDS, COMMAND_IDS, type CommandEntry } from './commands';
import { CONTEXT_KEYS } from './contextKeys';
import { SETTINGS } from './settings';

const root = join(import.meta.dirname, '..');
const read = (name: string) => JSON.parse(readFileSync(join(root, name), 'utf8')) as Record<string, unknown>;

interface Menu {
  readonly command: string;
  readonly when?: string;
}
interface Manifest {
  readonly icon: string;
  readonly activationEvents: readonly string[];
  readonly capabilities: {
    readonly untrustedWorkspaces: { readonly restrictedConfigurations: readonly string[] };
  };
  readonly contributes: {
    readonly commands: readonly { command: string; title: string; enablement?: string; icon?: string }[];
    readonly menus: Readonly<Record<string, readonly Menu[]>>;
    readonly keybindings: readonly { command: string; key: string; when?: string }[];
    readonly views: { readonly rolloutscope: readonly { id: string; icon: string }[] };
    readonly viewsWelcome: readonly { view: string; contents: string; when: string }[];
    readonly configuration: readonly {
      properties: Readonly<Record<string, { default: unknown; scope: string }>>;
    }[];
    readonly walkthroughs: readonly {
      id: string;
      steps: readonly { media: { svg: string }; completionEvents: string[] }[];
    }[];
  };
}
const text = readFileSync(join(root, 'package.json'), 'utf8');
const manifest = JSON.parse(text) as Manifest;
const nls = read('package.nls.json') as Record<string, string>;
const { commands, menus, keybindings, views, viewsWelcome, configuration, walkthroughs } =
  manifest.contributes;
const plain = (label: string) => nls[/^%(.+)%$/.exec(label)?.[1] ?? ''] ?? `no text for ${label}`;

describe('the manifest', () => {
  it('declares the commands of the table, with their titles, icons and enablement', () => {
    const declared = Object.fromEntries(
      commands.map(({ command, title, enablement, icon }) => [
        command,
        { title: plain(title), ...(enablement ? { enablement } : {}), ...(icon ? { icon } : {}) },
      ]),
    );
    const table = Object.fromEntries(
      COMMAND_IDS.map((id) => {
        const { title, enablement, icon }: CommandEntry = COMMANDS[id];
        return [id, { title, ...(enablement ? { enablement } : {}), ...(icon ? { icon } : {}) }];
      }),
    );
    expect(declared).toEqual(table);
  });

  it('keeps from the palette what needs an argument of a view, and nothing else', () => {
    const hidden = (menus['commandPalette'] ?? []).map(({ command }) => command);
    expect(hidden.sort()).toEqual(COMMAND_IDS.filter((id) => !COMMANDS[id].palette).sort());
  });

  it('uses only commands and context keys of the tables in menus, keys, welcome texts and enablement', () => {
    const used = [...Object.values(menus).flat(), ...keybindings];
    expect(used.map(({ command }) => command).filter((id) => !Object.hasOwn(COMMANDS, id))).toEqual([]);
    const conditions = [
      ...used.map(({ when }) => when ?? ''),
      ...viewsWelcome.map(({ when }) => when),
      ...commands.map(({ enablement }) => enablement ?? ''),
    ];
    const ids = [...CONTEXT_KEYS, ...views.rolloutscope.map(({ id }) => id)];
    const named = conditions.flatMap((one) => one.match(/rolloutscope(?:\.\w+)+/g) ?? []);
    expect(named.filter((name) => !ids.some((id) => id === name))).toEqual([]);
    expect(CONTEXT_KEYS.filter((key) => !named.includes(key))).toEqual([]);
  });

  it('has no chord twice, and no chord under a key that VS Code uses', () => {
    const keys = keybindings.map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys.filter((key) => !/^ctrl\+alt\+u [a-z]$/.test(key))).toEqual([]);
  });

  it('declares the settings of the tables, with their defaults; none that names a place is set by a workspace', () => {
    const properties: Readonly<Record<string, { default: unknown; scope: string }>> = Object.fromEntries(
      configuration.flatMap((one) => Object.entries(one.properties)),
    );
    const defaults = Object.fromEntries(
      Object.entries(properties).map(([name, { default: value }]) => [name, value]),
    );
    const prefixed = (prefix: string, values: object) =>
      Object.entries(values).map(([name, value]: [string, unknown]): [string, unknown] => [
        `${prefix}${name}`,
        value,
      ]);
    const table = [
      ...prefixed('rolloutscope.', SETTINGS),
      ...prefixed('rolloutscope.config.', DEFAULT_EDITOR_SETTINGS),
    ];
    expect(defaults).toEqual(Object.fromEntries(table));
    const scopes = Object.keys(SETTINGS).map((name) => [name, properties[`rolloutscope.${name}`]?.scope]);
    // A person is the same on every machine; folders and what is attached to are a machine's.
    expect(Object.fromEntries(scopes)).toEqual({
      author: 'application',
      'steering.confirm': 'application',
      attachOnStartup: 'machine',
      'discovery.folders': 'machine',
    });
    for (const name of manifest.capabilities.untrustedWorkspaces.restrictedConfigurations) {
      expect(Object.keys(properties)).toContain(name);
    }
  });

  it('has a text for every key and uses every text', () => {
    const used = [...text.matchAll(/"%([\w.]+)%"/g)].map((match) => match[1]);
    expect([...new Set(used)].sort()).toEqual(Object.keys(nls).sort());
  });

  it('links only to commands that exist', () => {
    const links = Object.values(nls).flatMap((one) =>
      [...one.matchAll(/\(command:([\w.]+)\)/g)].map((match) => match[1]!),
    );
    expect(links.length).toBeGreaterThan(8);
    const foreign = links.filter((id) => !Object.hasOwn(COMMANDS, id));
    expect(foreign).toEqual(['workbench.actions.view.problems']);
  });

  it('names files that are there', () => {
    const files = [
      manifest.icon,
      ...views.rolloutscope.map(({ icon }) => icon),
      ...walkthroughs.flatMap(({ steps }) => steps.map(({ media }) => media.svg)),
    ];
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
    expect(walkthroughs[0]?.steps).toHaveLength(8);
  });

  it('is activated for its panels and after startup, never for a language or everything', () => {
    expect(manifest.activationEvents).toEqual([
      'onStartupFinished',
      ...PANELS.map((name) => `onWebviewPanel:rolloutscope.${name}`),
    ]);
  });
});

describe('pictures of the walkthrough', () => {
  it('are drawn from theme variables, hold no script and load nothing', () => {
    for (const { media } of walkthroughs[0]!.steps) {
      const svg = readFileSync(join(root, media.svg), 'utf8');
      expect(svg).not.toMatch(/#[0-9a-f]{3,8}\b|rgb\(|<script|<image|href=|on\w+=/i);
      expect(svg).toContain('<title>');
    }
  });
});
