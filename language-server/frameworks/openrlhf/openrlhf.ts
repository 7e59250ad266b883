import { readFlags } from '../../config/flags';
import { modelFramework } from '../../config/modelFramework';
import { readSchema } from '../../config/schema';
import type { FrameworkSchema } from '../../config/schema';
import { readScriptConfigs } from '../../config/scriptConfig';
import { OPENRLHF_NOTES } from './notes';
import { OPENRLHF_RULES } from './openrlhfRules';
import json from './schema.generated.json';

let schema: FrameworkSchema | undefined;

/** OpenRLHF: flags of `openrlhf.cli.train_ppo_ray` in launch scripts. argparse refuses what it does not know. */
export const openrlhf = modelFramework({
  id: 'openrlhf',
  schema: () => (schema ??= readSchema('openrlhf', 'OpenRLHF', json, OPENRLHF_NOTES)),
  read: async ({ text, language }, keys) =>
    language === 'shellscript'
      ? readScriptConfigs(
          text,
          (word) => word === 'openrlhf.cli.train_ppo_ray',
          (launch) => ({
            entries: readFlags(launch, keys, true),
            isWhole: true,
          }),
        )
      : [],
  rules: OPENRLHF_RULES,
  // The optimizers' flags are made by a helper that the schema does not follow.
  unknownKeys: (_, { name }) => (/^(?:actor|critic|ds|reward)\./.test(name) ? 'unsaid' : 'refused'),
  badValues: () => 'refused',
});
