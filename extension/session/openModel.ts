import { RunStore } from '../../run-store/runStore';
import { systemClock } from './clock';
import { EarlierStarts } from './earlierStarts';
import { openRecorded } from './recordedSession';
import { openResults } from './resultsSession';
import type { OpenModel } from './runModel';
import { StepHistory, readFromJob } from './stepHistory';
import { StoreModel } from './storeModel';
import { JobTexts } from './textSource';

/** The store of a run: of a live one it fills from the stream, of a recorded one from its journal. */
export const openModel: OpenModel = (params, host) => {
  if (params.kind === 'recorded') return openRecorded(params.folder, host);
  if (params.kind === 'results') return openResults(params.files, params.choice, host);
  const read: typeof host.read = (name, request) => host.read(name, request);
  const onChanged = () => host.onChanged();
  const history = new StepHistory(readFromJob(read), onChanged, host.log);
  const store = new RunStore();
  const earlier = new EarlierStarts({
    store,
    read,
    wait: (ms) => new Promise((resolve) => systemClock.after(ms, resolve)),
    now: () => systemClock.now(),
    log: host.log,
    onRead: onChanged,
  });
  return Promise.resolve(new StoreModel(store, new JobTexts(read), history, onChanged, earlier));
};
