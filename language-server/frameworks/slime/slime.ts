import { readFlags } from '../../config/flags';
import { modelFramework } from '../../config/modelFramework';
import { readSchema } from '../../config/schema';
import type { FrameworkSchema } from '../../config/schema';
import { readScriptConfigs } from '../../config/scriptConfig';
import { SLIME_NOTES } from './notes';
import { SLIME_RULES } from './slimeRules';
import json from './schema.generated.json';

let schema: FrameworkSchema | undefined;

/** slime: flags of `train.py` in launch scripts. Megatron's and SGLang's flags, which the schema does not hold, are legal. */
export const slime = modelFramework({
  id: 'slime',
  schema: () => (schema ??= readSchema('slime', 'slime', json, SLIME_NOTES)),
  read: async ({ text, language }, keys) =>
    language === 'shellscript'
      ? readScriptConfigs(
          text,
          (word) => /(?:^|\/)train(?:_async)?\.py$/.test(word),
          (launch) => {
            const entries = readFlags(launch, keys, false);
            // A YAML of its own can set any attribute.
            return { entries, isWhole: !entries.some(({ name }) => name === 'custom-config-path') };
          },
        ).filter(({ entries }) => entries.some(({ name }) => name === 'rollout-batch-size'))
      : [],
  rules: SLIME_RULES,
  unknownKeys: () => 'unsaid',
  badValues: () => 'refused',
});
