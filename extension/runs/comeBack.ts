import { messageOf } from '../lifecycle';
import type { DiscoveryWatcher } from './discovery';
import type { RunRegistry } from './runRegistry';

/** After a reload: what was open is opened again; after that, what runs here when the setting says so. */
export async function comeBack(
  registry: RunRegistry,
  discovery: DiscoveryWatcher,
  options: {
    readonly attachFound: boolean;
    readonly onRestored: () => void;
    readonly onAttached: () => void;
    readonly log: (message: string) => void;
  },
): Promise<void> {
  try {
    discovery.start();
    const found = await discovery.refresh();
    await registry.restore(found);
    options.onRestored();
    if (!options.attachFound) return;
    const here = found.filter(({ place }) => place === 'here');
    for (const one of here) registry.attachFound(one);
    if (here.length > 0) options.onAttached();
  } catch (error) {
    options.log(`open runs did not come back: ${messageOf(error)}`);
  }
}
