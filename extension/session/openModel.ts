import type { OpenModel } from './runModel';
import { StoreModel } from './storeModel';
import { JobTexts } from './textSource';

/** The store of a live run fills from its stream. */
export const openModel: OpenModel = (_params, host) =>
  Promise.resolve(
    new StoreModel(new JobTexts((name, request) => host.read(name, request)), () => host.onChanged()),
  );
