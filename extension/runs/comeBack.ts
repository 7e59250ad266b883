import { messageOf } from '../lifecycle';
import type { DiscoveryWatcher } from './discovery';
import type { RunRegistry } from './runRegistry';

/** After a reload: what was open is opened again; after that, what runs here when the setting says so. */
export async function comeBack(
  registry: RunRegistry,
  discovery: DiscoveryWatcher,
  options: {
    readonly attachFound: boolean;
    /** Whether an address may be attached to without asking a person. */
    readonly mayUse: (address: string) => boolean;
    readonly onRestored: () => void;
    readonly onAttached: () => void;
    readonly log: (message: string) => void;
  },
): Promise<void> {
  try {
    discovery.start();
    const found = await discovery.refresh();
    // A file on this machine may name another machine: its token is not sent there unasked.
    const usable = found.filter(({ discovery: { address } }) => {
      const may = options.mayUse(address);
      if (!may) options.log(`not attached by itself to ${address}: nobody has agreed to this address`);
      return may;
    });
    await registry.restore(usable);
    options.onRestored();
    if (!options.attachFound) return;
    const here = usable.filter(({ place }) => place === 'here');
    for (const one of here) registry.attachFound(one);
    if (here.length > 0) options.onAttached();
  } catch (error) {
    options.log(`open runs did not come back: ${messageOf(error)}`);
  }
}
