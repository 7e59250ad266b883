import { useSignal, type ReadonlySignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ViewName, Views } from '../../protocol/panels/views';
import { subscribe } from './host';

/**
 * A live view. undefined: not answered yet; null: there is nothing to show yet. When the parameters change,
 * the old picture stays until the new one is there. `params` null: not subscribed.
 */
export const useView = <V extends ViewName>(
  view: V,
  params: Views[V]['params'] | null,
): ReadonlySignal<Views[V]['data'] | null | undefined> => {
  const data = useSignal<Views[V]['data'] | null | undefined>(undefined);
  const key = params === null ? null : JSON.stringify(params);
  useEffect(() => {
    if (params === null) return undefined;
    return subscribe(view, params, (next) => {
      data.value = next;
    });
    // The parameters are plain data: their text says when they changed.
  }, [view, key]);
  return data;
};
