import { readScript } from '../bash/readScript';
import { findLaunches, scriptProblems } from './launch';
import type { Launch } from './launch';
import type { ConfigEntry, ConfigModel } from './model';

/**
 * The configs that a script gives to a framework's programs, when it is started without words of its own.
 *
 * @param isProgram whether a word names one of the programs
 * @param read the settings among the words after the program
 */
export function readScriptConfigs(
  text: string,
  isProgram: (word: string) => boolean,
  read: (launch: Launch) => { readonly entries: readonly ConfigEntry[]; readonly isWhole: boolean },
): ConfigModel[] {
  const reading = readScript(text, { args: null, env: null, name: null, isBare: true });
  const problems = scriptProblems(reading);
  return findLaunches(reading, isProgram).map((launch) => {
    const { entries, isWhole } = read(launch);
    return {
      entries,
      isWhole: isWhole && !launch.isOpen,
      problems,
      head: launch.head,
      program: launch.program,
    };
  });
}
