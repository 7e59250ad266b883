import type { Launch } from '../../config/launch';
import { readFlags } from '../../config/flags';
import type { ConfigEntry } from '../../config/model';
import { modelFramework } from '../../config/modelFramework';
import { readSchema } from '../../config/schema';
import type { FrameworkSchema } from '../../config/schema';
import { readScriptConfigs } from '../../config/scriptConfig';
import { readYamlConfig } from '../../config/yamlConfig';
import { SWIFT_RULES } from './swiftRules';
import { SWIFT_NOTES } from './notes';
import json from './schema.generated.json';

let schema: FrameworkSchema | undefined;

/** ms-swift: flags of `swift rlhf` in scripts, or a YAML of the same names. */
export const msSwift = modelFramework({
  id: 'ms-swift',
  schema: () => (schema ??= readSchema('ms-swift', 'ms-swift', json, SWIFT_NOTES)),
  read: async (source, keys) => {
    if (source.language === 'yaml') return readYamlConfig(source, 'pyyaml', 'none');
    if (source.language !== 'shellscript') return [];
    const read = (launch: Launch): { entries: readonly ConfigEntry[]; isWhole: boolean } => {
      const entries = readFlags(launch, keys, false);
      return { entries, isWhole: !entries.some(({ name }) => name === 'config') };
    };
    return readScriptConfigs(source.text, (word) => word === 'rlhf', read);
  },
  rules: SWIFT_RULES,
  // The schema holds ms-swift's own arguments, not those that transformers adds.
  unknownKeys: () => 'unsaid',
  badValues: () => 'late',
});
