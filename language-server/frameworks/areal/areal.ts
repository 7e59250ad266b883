import { modelFramework } from '../../config/modelFramework';
import { readSchema } from '../../config/schema';
import type { FrameworkSchema } from '../../config/schema';
import { readYamlConfig } from '../../config/yamlConfig';
import { AREAL_RULES } from './arealRules';
import { AREAL_NOTES } from './notes';
import json from './schema.generated.json';

let schema: FrameworkSchema | undefined;

/** AReaL: YAML merged into dataclasses by OmegaConf. Examples extend the dataclasses, so unknown keys may be legal. */
export const areal = modelFramework({
  id: 'areal',
  schema: () => (schema ??= readSchema('areal', 'AReaL', json, AREAL_NOTES)),
  read: async (source) => (source.language === 'yaml' ? readYamlConfig(source, 'omegaconf', 'none') : []),
  rules: AREAL_RULES,
  unknownKeys: () => 'unsaid',
  badValues: () => 'late',
});
