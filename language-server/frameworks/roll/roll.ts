import { modelFramework } from '../../config/modelFramework';
import { readSchema } from '../../config/schema';
import type { FrameworkSchema } from '../../config/schema';
import { readYamlConfig } from '../../config/yamlConfig';
import { ROLL_NOTES } from './notes';
import { ROLL_RULES } from './rollRules';
import json from './schema.generated.json';

let schema: FrameworkSchema | undefined;

/** ROLL: Hydra YAML put into dataclasses that pass unknown keys over. */
export const roll = modelFramework({
  id: 'roll',
  schema: () => (schema ??= readSchema('roll', 'ROLL', json, ROLL_NOTES)),
  read: async (source) => (source.language === 'yaml' ? readYamlConfig(source, 'omegaconf', 'none') : []),
  rules: ROLL_RULES,
  // Strategies and environments take keys of their own, and anchors may stand at the top.
  unknownKeys: () => 'unsaid',
  badValues: () => 'late',
});
