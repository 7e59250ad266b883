import { readInspectSample, scoreNames, type InspectHeader } from './formats/inspect';
import type { Measured, Unusable } from './measured';
import type { Dump } from './dump';

/** Samples of an Inspect log, however they were stored. `unreadable`: stored ones that could not be read. */
export function inspectDump(
  header: InspectHeader,
  samples: readonly unknown[],
  unreadable: readonly Unusable[] = [],
): Dump {
  const scorers = scoreNames(samples);
  const notes: string[] = [];
  if (header.model !== null) notes.push(`model ${header.model.slice(0, 120)}`);
  if (header.status !== null && header.status !== 'success')
    notes.push(`status of the log: ${header.status}`);
  return {
    format: { name: 'Inspect log', success: scorers, reward: null },
    notes,
    async *pieces() {
      const measured: Measured[] = [];
      const unusable = [...unreadable];
      let used = 0;
      samples.forEach((sample, i) => {
        const read = readInspectSample(sample, header, scorers);
        if (typeof read === 'string') {
          unusable.push({ place: `sample ${i + 1}`, why: read });
          return;
        }
        used += 1;
        measured.push(...read);
      });
      yield { measured, used, unusable, share: 1 };
    },
  };
}
