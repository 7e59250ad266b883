import type { ConfigDescription } from '../../protocol/editor/editor';
import type { Finding } from '../finding';
import type { Framework } from '../framework';
import type { Completion, Hover, OpenConfig } from '../openConfig';
import { Positions } from '../text/positions';
import { Config } from './config';
import { describeKey, detailOf } from './describeKey';
import { keyFindings, knownKeys } from './keyFindings';
import { Marks } from './marks';
import type { FrameworkSpec } from './spec';
import { valueFindings } from './valueFindings';

/** A framework whose configs are read into a {@link ConfigModel}: findings, hover and completion come from its data. */
export function modelFramework(spec: FrameworkSpec): Framework {
  return {
    id: spec.id,
    async open(source, directive, settings): Promise<OpenConfig | null> {
      const schema = spec.schema();
      const models = await spec.read(source, schema);
      if (models.length === 0) return null;
      const positions = new Positions(source.text);
      const configs = models.map((model) => new Config(model, schema, directive, settings));
      const comment = directive.problems.map(({ start, end, message }): Finding => ({
        code: `${spec.id}.comment`,
        severity: 'warning',
        message: `${message}; this word has no effect.`,
        range: positions.range(start, end),
        about: [],
        fixes: [],
        tag: null,
      }));
      const found = configs.flatMap((config) => checkConfig(spec, config, positions));
      return {
        findings: inOrder([...comment, ...found]),
        description: describe(spec, configs),
        hover: (offset) => hoverAt(spec, configs, offset),
        complete: (offset) => completeAt(configs, source.text, offset),
      };
    },
  };
}

function checkConfig(spec: FrameworkSpec, config: Config, positions: Positions): Finding[] {
  const marks = new Marks(config, positions);
  const { problems } = config.model;
  const broken = problems.map(({ code, severity, message, start, end }) =>
    marks.at({ start, end }, { code, severity, message, about: [] }),
  );
  const found = [...broken, ...keyFindings(spec, config, marks), ...valueFindings(spec, config, marks)];
  // What the rest of a broken text says is not known.
  if (problems.some(({ severity }) => severity === 'error')) return found;
  for (const rule of spec.rules) {
    const verdict = rule.check(config);
    if (!verdict) continue;
    const { severity, message, about, proposals = [] } = verdict;
    found.push(marks.atKeys({ code: rule.id, severity, message, about, fixes: marks.fixes(proposals) }));
  }
  return found;
}

/** In the order of the text; what is said twice of one place is said once. */
function inOrder(findings: readonly Finding[]): Finding[] {
  const seen = new Set<string>();
  return findings
    .filter(({ code, range, message }) => {
      const identity = `${code} ${range.start.line}:${range.start.character} ${message}`;
      if (seen.has(identity)) return false;
      seen.add(identity);
      return true;
    })
    .sort(
      (a, b) => a.range.start.line - b.range.start.line || a.range.start.character - b.range.start.character,
    );
}

function describe(
  spec: FrameworkSpec,
  configs: readonly Config[],
): Omit<ConfigDescription, 'uri' | 'documentVersion' | 'findings'> {
  const [config] = configs;
  return {
    framework: spec.id,
    frameworkVersion: config?.versionText ?? '',
    frameworkVersionFrom: config?.versionFrom ?? 'latest',
    worldSize: config?.processes ?? null,
    worldSizeFrom: config === undefined || config.processes === null ? null : 'setting',
    batch: null,
  };
}

function hoverAt(spec: FrameworkSpec, configs: readonly Config[], offset: number): Hover | null {
  for (const config of configs) {
    for (const entry of config.model.entries) {
      if (entry.how === 'inherited') continue;
      const place = [entry.key, entry.valuePlace].find(({ start, end }) => start <= offset && offset <= end);
      if (!place) continue;
      const key = config.schema.keys.get(entry.name);
      return key ? { markdown: describeKey(spec.id, config, key), start: place.start, end: place.end } : null;
    }
  }
  return null;
}

/** Values after a key that has choices; the keys themselves belong to each language's own completion. */
function completeAt(configs: readonly Config[], text: string, offset: number): Completion[] {
  const [config] = configs;
  if (!config) return [];
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  const typed = /[\w.+~-]*$/.exec(text.slice(lineStart, offset))?.[0] ?? '';
  const dotted = typed.replace(/^(?:\+\+?|~|--)/, '');
  if (dotted.length < 2) return [];
  return knownKeys(config)
    .filter((key) => key.name.startsWith(dotted) && key.type !== 'dict')
    .slice(0, 200)
    .map((key) => ({
      label: key.name,
      kind: 'key',
      detail: detailOf(config, key),
      markdown: config.schema.notes.get(key.name)?.meaning ?? '',
      insertText: key.name,
    }));
}
