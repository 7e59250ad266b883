import { modelFramework } from '../../config/modelFramework';
import { readSchema } from '../../config/schema';
import type { FrameworkSchema } from '../../config/schema';
import { readYamlConfig } from '../../config/yamlConfig';
import { NEMO_RULES } from './nemoRules';
import { NEMO_NOTES } from './notes';
import json from './schema.generated.json';

let schema: FrameworkSchema | undefined;

/** NeMo RL: YAML over the parents that `defaults:` names. Unknown keys are allowed and read by nothing. */
export const nemoRl = modelFramework({
  id: 'nemo-rl',
  schema: () => (schema ??= readSchema('nemo-rl', 'NeMo RL', json, NEMO_NOTES)),
  read: async (source) => (source.language === 'yaml' ? readYamlConfig(source, 'omegaconf', 'defaults') : []),
  rules: NEMO_RULES,
  // Backends and environments take keys of their own.
  unknownKeys: (_, { name }) => (/^(?:grpo|loss_fn|data|policy)\.[^.]+$/.test(name) ? 'ignored' : 'unsaid'),
  badValues: () => 'late',
});
