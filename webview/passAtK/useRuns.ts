import { useSignal, type ReadonlySignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { PassAtKParams, PassAtKView } from '../../protocol/panels/passAtK';
import type { RunKey } from '../../protocol/panels/selection';
import { subscribe } from '../shared/host';

/** Views of other open runs, by key; a run that has nothing to show yet is null, one that has not answered is missing. */
export const useRuns = (
  keys: readonly RunKey[],
  params: PassAtKParams,
): ReadonlySignal<ReadonlyMap<RunKey, PassAtKView | null>> => {
  const views = useSignal<ReadonlyMap<RunKey, PassAtKView | null>>(new Map());
  useEffect(() => {
    views.value = new Map([...views.value].filter(([key]) => keys.includes(key)));
    const ends = keys.map((key) =>
      subscribe(
        'passAtK',
        params,
        (next) => {
          views.value = new Map(views.value).set(key, next);
        },
        key,
      ),
    );
    return () => ends.forEach((end) => end());
    // Keys and parameters are plain data: their text says when they changed.
  }, [keys.join('\n'), JSON.stringify(params)]);
  return views;
};
