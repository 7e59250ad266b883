/**
 * The contract between the extension host and the language server: settings and custom requests.
 * Everything else between them is plain LSP. Positions are zero-based, in UTF-16 units.
 * Both sides check what they receive with the functions here; none of them throws.
 */

/** Section of the settings that the server asks the host for (`workspace/configuration`). */
export const EDITOR_SETTINGS_SECTION = 'rolloutscope.config';

/** Source shown beside each diagnostic. */
export const DIAGNOSTIC_SOURCE = 'rolloutscope';

export interface TextPosition {
  readonly line: number;
  readonly character: number;
}

/** End exclusive. */
export interface TextRange {
  readonly start: TextPosition;
  readonly end: TextPosition;
}

/** Frameworks whose config files the server knows. */
export const CONFIG_FRAMEWORKS = [
  'trl',
  'verl',
  'openrlhf',
  'slime',
  'skyrl',
  'prime-rl',
  'nemo-rl',
  'areal',
  'roll',
  'ms-swift',
] as const;
export type ConfigFramework = (typeof CONFIG_FRAMEWORKS)[number];

/**
 * What reads a config file, where that changes the verdict.
 * `any`: not known; `trl`: `trl grpo --config`; `script`: TRL's own script under `accelerate launch`;
 * `strict`: an own script that keeps TrlParser's default and refuses unknown keys.
 */
export const CONFIG_LAUNCHERS = ['any', 'trl', 'script', 'strict'] as const;
export type ConfigLauncher = (typeof CONFIG_LAUNCHERS)[number];

const FRAMEWORK_CHOICES = ['auto', ...CONFIG_FRAMEWORKS, 'none'] as const;
const UNKNOWN_KEY_CHOICES = ['hint', 'off'] as const;

export interface EditorSettings {
  readonly enable: boolean;
  /** `auto`: by content. */
  readonly framework: (typeof FRAMEWORK_CHOICES)[number];
  /** Null: the newest version that the server knows. */
  readonly frameworkVersion: string | null;
  /** Number of training processes; null: not known. */
  readonly worldSize: number | null;
  readonly launcher: ConfigLauncher;
  /** What to do about a key that nobody knows and that is no near miss. */
  readonly unknownKeys: (typeof UNKNOWN_KEY_CHOICES)[number];
}

export const DEFAULT_EDITOR_SETTINGS: EditorSettings = {
  enable: true,
  framework: 'auto',
  frameworkVersion: null,
  worldSize: null,
  launcher: 'any',
  unknownKeys: 'hint',
};

/** The settings, with the default wherever a value is missing or makes no sense. */
export function parseEditorSettings(value: unknown): EditorSettings {
  if (!isRecord(value)) return DEFAULT_EDITOR_SETTINGS;
  const standard = DEFAULT_EDITOR_SETTINGS;
  const { enable, framework, frameworkVersion, worldSize, launcher, unknownKeys } = value;
  return {
    enable: typeof enable === 'boolean' ? enable : standard.enable,
    framework: oneOf(FRAMEWORK_CHOICES, framework) ?? standard.framework,
    frameworkVersion:
      typeof frameworkVersion === 'string' && frameworkVersion.trim() !== '' ? frameworkVersion : null,
    worldSize: isCount(worldSize) && worldSize > 0 ? worldSize : null,
    launcher: oneOf(CONFIG_LAUNCHERS, launcher) ?? standard.launcher,
    unknownKeys: oneOf(UNKNOWN_KEY_CHOICES, unknownKeys) ?? standard.unknownKeys,
  };
}

/** Request host → server: what the server makes of an open file. Params: {@link DescribeConfigParams}. */
export const DESCRIBE_CONFIG = 'rolloutscope/config/describe';

export interface DescribeConfigParams {
  readonly uri: string;
}

/** Where a fact about the file comes from. */
export const FACT_SOURCES = ['comment', 'file', 'setting', 'latest'] as const;
export type FactSource = (typeof FACT_SOURCES)[number];

/** The batch arithmetic of a file; counts of rollouts unless said otherwise. */
export interface ConfigBatch {
  /** Rollouts made before the next update round. */
  readonly rolloutsPerRound: number;
  readonly promptsPerRound: number;
  readonly rolloutsPerPrompt: number;
  readonly rolloutsPerOptimizerStep: number;
  readonly optimizerStepsPerRound: number;
}

export interface ConfigDescription {
  readonly uri: string;
  /** Version of the document that this was read from. */
  readonly documentVersion: number;
  readonly framework: ConfigFramework;
  readonly frameworkVersion: string;
  readonly frameworkVersionFrom: FactSource;
  readonly worldSize: number | null;
  readonly worldSizeFrom: FactSource | null;
  /** Null when a number is missing, the world size is not known, or the arithmetic does not come out even. */
  readonly batch: ConfigBatch | null;
  readonly findings: {
    readonly error: number;
    readonly warning: number;
    readonly information: number;
    readonly hint: number;
  };
}

/** Null: not open, or no config of a known framework. */
export type DescribeConfigResult = ConfigDescription | null;

/** Undefined when the value is not of the form. */
export function parseDescribeConfigParams(value: unknown): DescribeConfigParams | undefined {
  return isRecord(value) && typeof value['uri'] === 'string' ? { uri: value['uri'] } : undefined;
}

/** Undefined when the value is not of the form. */
export function parseDescribeConfigResult(value: unknown): DescribeConfigResult | undefined {
  if (value === null) return null;
  if (!isRecord(value)) return undefined;
  const { uri, documentVersion, frameworkVersion, worldSize } = value;
  const framework = oneOf(CONFIG_FRAMEWORKS, value['framework']);
  const frameworkVersionFrom = oneOf(FACT_SOURCES, value['frameworkVersionFrom']);
  const worldSizeFrom = value['worldSizeFrom'] === null ? null : oneOf(FACT_SOURCES, value['worldSizeFrom']);
  const batch = value['batch'] === null ? null : parseBatch(value['batch']);
  const findings = parseFindings(value['findings']);
  if (
    typeof uri !== 'string' ||
    typeof documentVersion !== 'number' ||
    typeof frameworkVersion !== 'string'
  ) {
    return undefined;
  }
  if (worldSize !== null && !isCount(worldSize)) return undefined;
  if (!framework || !frameworkVersionFrom || !findings) return undefined;
  if (worldSizeFrom === undefined || batch === undefined) return undefined;
  return {
    uri,
    documentVersion,
    framework,
    frameworkVersion,
    frameworkVersionFrom,
    worldSize,
    worldSizeFrom,
    batch,
    findings,
  };
}

function parseBatch(value: unknown): ConfigBatch | undefined {
  if (!isRecord(value)) return undefined;
  const {
    rolloutsPerRound,
    promptsPerRound,
    rolloutsPerPrompt,
    rolloutsPerOptimizerStep,
    optimizerStepsPerRound,
  } = value;
  if (!isCount(rolloutsPerRound) || !isCount(promptsPerRound) || !isCount(rolloutsPerPrompt))
    return undefined;
  if (!isCount(rolloutsPerOptimizerStep) || typeof optimizerStepsPerRound !== 'number') return undefined;
  return {
    rolloutsPerRound,
    promptsPerRound,
    rolloutsPerPrompt,
    rolloutsPerOptimizerStep,
    optimizerStepsPerRound,
  };
}

function parseFindings(value: unknown): ConfigDescription['findings'] | undefined {
  if (!isRecord(value)) return undefined;
  const { error, warning, information, hint } = value;
  if (!isCount(error) || !isCount(warning) || !isCount(information) || !isCount(hint)) return undefined;
  return { error, warning, information, hint };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && typeof value === 'number' && value >= 0;
}

function oneOf<const Choice extends string>(choices: readonly Choice[], value: unknown): Choice | undefined {
  return choices.find((choice) => choice === value);
}
