import { CONFIG_FRAMEWORKS, CONFIG_LAUNCHERS } from '../protocol/editor/editor';
import type { ConfigFramework, ConfigLauncher } from '../protocol/editor/editor';

/** What a person says in the file itself: `# rolloutscope: framework=trl version=1.13 processes=8 launcher=script`. */
export interface Directive {
  readonly framework: ConfigFramework | 'none' | null;
  readonly version: string | null;
  readonly processes: number | null;
  readonly launcher: ConfigLauncher | null;
  /** Words that mean nothing here: UTF-16 offsets, end exclusive. */
  readonly problems: readonly { readonly start: number; readonly end: number; readonly message: string }[];
}

const LINE = /^([ \t]*#[ \t]*rolloutscope:)([^\r\n]*)/gm;
const WORD = /[^\s,]+/g;
const FRAMEWORKS = [...CONFIG_FRAMEWORKS, 'none'] as const;

/** Reads every directive of a text; a later word wins over an earlier one. */
export function readDirective(text: string): Directive {
  let framework: Directive['framework'] = null;
  let version: string | null = null;
  let processes: number | null = null;
  let launcher: ConfigLauncher | null = null;
  const problems: { start: number; end: number; message: string }[] = [];
  for (const line of text.matchAll(LINE)) {
    const wordsAt = line.index + (line[1] ?? '').length;
    for (const word of (line[2] ?? '').matchAll(WORD)) {
      const start = wordsAt + word.index;
      const [key = '', value = ''] = word[0].split('=', 2);
      const refuse = (message: string): void =>
        void problems.push({ start, end: start + word[0].length, message });
      if (key === 'framework') {
        framework = FRAMEWORKS.find((each) => each === value) ?? framework;
        if (framework !== value) refuse(`framework is one of ${FRAMEWORKS.join(', ')}`);
      } else if (key === 'version') {
        if (/^\d+(\.\d+)*$/.test(value)) version = value;
        else refuse('version is a release number such as 1.13');
      } else if (key === 'processes') {
        if (/^[1-9]\d{0,6}$/.test(value)) processes = Number(value);
        else refuse('processes is a whole number above 0');
      } else if (key === 'launcher') {
        launcher = CONFIG_LAUNCHERS.find((each) => each === value) ?? launcher;
        if (launcher !== value) refuse(`launcher is one of ${CONFIG_LAUNCHERS.join(', ')}`);
      } else {
        refuse('this comment takes framework=, version=, processes= and launcher=');
      }
    }
  }
  return { framework, version, processes, launcher, problems };
}
