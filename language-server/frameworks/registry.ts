import type { ConfigFramework } from '../../protocol/editor/editor';
import type { Framework } from '../framework';

/** Loaded on first need: most files in a workspace are no config of any framework. */
const LOADERS: Readonly<Record<ConfigFramework, () => Promise<Framework>>> = {
  trl: async () => (await import('./trl/trl')).trl,
  verl: async () => (await import('./verl/verl')).verl,
  openrlhf: async () => (await import('./openrlhf/openrlhf')).openrlhf,
  slime: async () => (await import('./slime/slime')).slime,
  skyrl: async () => (await import('./skyrl/skyrl')).skyrl,
  'prime-rl': async () => (await import('./prime-rl/primeRl')).primeRl,
  'nemo-rl': async () => (await import('./nemo-rl/nemoRl')).nemoRl,
  areal: async () => (await import('./areal/areal')).areal,
  roll: async () => (await import('./roll/roll')).roll,
  'ms-swift': async () => (await import('./ms-swift/msSwift')).msSwift,
};

export function loadFramework(id: ConfigFramework): Promise<Framework> {
  return LOADERS[id]();
}
