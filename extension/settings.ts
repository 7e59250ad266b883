/** The one table of settings, without the prefix `rolloutscope.`, with their defaults. */
export const SETTINGS = {
  author: '',
  'steering.confirm': true,
  attachOnStartup: 'off' as 'off' | 'found',
  'discovery.folders': [] as readonly string[],
} as const;

export type SettingName = keyof typeof SETTINGS;
export type SettingValue<N extends SettingName> = {
  author: string;
  'steering.confirm': boolean;
  attachOnStartup: 'off' | 'found';
  'discovery.folders': readonly string[];
}[N];

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

const READERS: { readonly [N in SettingName]: (value: unknown) => SettingValue<N> | undefined } = {
  author: (value) => (typeof value === 'string' ? value.trim().slice(0, 120) : undefined),
  'steering.confirm': (value) => (typeof value === 'boolean' ? value : undefined),
  attachOnStartup: (value) => (value === 'off' || value === 'found' ? value : undefined),
  'discovery.folders': (value) => (isTexts(value) ? value : undefined),
};

/** Reads a setting; a value of another type counts as not set. */
export function readSetting<N extends SettingName>(get: (name: string) => unknown, name: N): SettingValue<N> {
  const value = READERS[name](get(name));
  return value ?? SETTINGS[name];
}
