import { modelFramework } from '../../config/modelFramework';
import { readOverrides } from '../../config/overrides';
import { readSchema } from '../../config/schema';
import type { FrameworkSchema } from '../../config/schema';
import { readScriptConfigs } from '../../config/scriptConfig';
import type { PyValue } from '../../yaml/pyValue';
import { readYaml } from '../../yaml/readYaml';
import { SKYRL_NOTES } from './notes';
import { SKYRL_RULES } from './skyrlRules';
import json from './schema.generated.json';

const PROGRAM = /^(?:skyrl(?:_train)?\.[\w.]*main\w*|examples\.[\w.]*main\w*|integrations\.[\w.]*main\w*)$/;
const OWN = 'skyrl.train.entrypoints.main_base';

let schema: FrameworkSchema | undefined;

/** SkyRL: dotted overrides in launch scripts, read by OmegaConf. */
export const skyrl = modelFramework({
  id: 'skyrl',
  schema: () => (schema ??= readSchema('skyrl', 'SkyRL', json, SKYRL_NOTES)),
  read: async ({ text, language }) =>
    language === 'shellscript'
      ? readScriptConfigs(
          text,
          (word) => PROGRAM.test(word),
          (launch) => ({
            entries: readOverrides(launch, readValue, false),
            isWhole: true,
          }),
        )
      : [],
  rules: SKYRL_RULES,
  // Entry points of examples add fields to the config class.
  unknownKeys: ({ model }) => (model.program === OWN ? 'refused' : 'unsaid'),
  badValues: () => 'late',
});

function readValue(text: string): PyValue | null {
  if (text.includes('${')) return null;
  const { root, problems } = readYaml(`v: ${text}`, 'omegaconf');
  if (problems.length > 0 || root.value.kind !== 'dict') return null;
  return root.value.entries[0]?.value.value ?? null;
}
