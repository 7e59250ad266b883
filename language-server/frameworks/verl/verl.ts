import type { Config } from '../../config/config';
import { readHydraValue } from '../../config/hydraValue';
import { resolveInterpolations } from '../../config/interpolate';
import type { Launch } from '../../config/launch';
import type { ConfigEntry, ConfigModel } from '../../config/model';
import { modelFramework } from '../../config/modelFramework';
import { launcherOption, readOverrides } from '../../config/overrides';
import { readSchema } from '../../config/schema';
import type { FrameworkSchema } from '../../config/schema';
import type { UnknownKeys } from '../../config/spec';
import { readYamlConfig } from '../../config/yamlConfig';
import { readScriptConfigs } from '../../config/scriptConfig';
import type { ConfigSource } from '../../framework';
import { VERL_NOTES } from './notes';
import { VERL_RULES } from './rules/verlRules';
import json from './schema.generated.json';

const PROGRAM =
  /^(?:verl\.(?:trainer|experimental)\.[\w.]*main\w*|recipe\.\w+\.main_\w+|[\w./-]*\bmain_(?:ppo|dapo)\w*\.py)$/;
/** Base configs that the schema holds; with any other, what is not in the script is not known. */
const KNOWN_BASES: ReadonlySet<string> = new Set(['ppo_trainer', 'ppo_megatron_trainer']);
const MAIN = 'verl.trainer.main_ppo';

let schema: FrameworkSchema | undefined;

/** verl: Hydra YAML, and dotted overrides in launch scripts. */
export const verl = modelFramework({
  id: 'verl',
  schema: () => (schema ??= readSchema('verl', 'verl', json, VERL_NOTES)),
  read: readVerl,
  rules: VERL_RULES,
  unknownKeys,
  badValues: () => 'late',
});

async function readVerl(source: ConfigSource): Promise<ConfigModel[]> {
  if (source.language === 'yaml') return readYamlConfig(source, 'omegaconf', 'none');
  return readScriptConfigs(source.text, (word) => PROGRAM.test(word), readLaunch);
}

function readLaunch(launch: Launch): { entries: readonly ConfigEntry[]; isWhole: boolean } {
  const base = launcherOption(launch, 'config-name');
  const isBase = base === undefined || (base !== null && KNOWN_BASES.has(base.replace(/\.yaml$/, '')));
  const isOwn = launcherOption(launch, 'config-path') !== undefined && base === undefined;
  const entries = readOverrides(launch, readHydraValue, true).filter(
    ({ name }) => !name.startsWith('hydra.'),
  );
  // `group@place=choice` puts another set of defaults there.
  const isPlain = entries.every(({ name }) => !name.includes('@'));
  return {
    entries: resolveInterpolations(entries.filter(({ name }) => !name.includes('@'))),
    isWhole: isPlain && isBase && !isOwn && launch.program === MAIN,
  };
}

/**
 * Hydra refuses a plain override of a key that is not there. A key put there with `+` fails only where a section becomes
 * a dataclass. Other programs have configs of their own.
 */
function unknownKeys(config: Config, entry: ConfigEntry): UnknownKeys {
  const { program, isWhole } = config.model;
  if (program === '') return 'unsaid';
  if (program !== MAIN || !isWhole || /^(?:distillation\.|model_engine$)/.test(entry.name)) return 'unsaid';
  if (entry.how === 'plain') return 'refused';
  return /^(?:data|trainer)\./.test(entry.name) ? 'ignored' : 'unsaid';
}
