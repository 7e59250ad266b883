import type { ViewName, Views } from '../../protocol/panels/views';
import type { SessionClient } from './sessionClient';

const ANSWER_MS = 5_000;

/** The present state of a view, once; null when there is nothing to show or no answer in time. */
export function once<V extends ViewName>(
  client: SessionClient,
  view: V,
  params: Views[V]['params'],
): Promise<Views[V]['data'] | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      subscription.dispose();
      resolve(null);
    }, ANSWER_MS);
    const subscription = client.subscribe(view, params, (data) => {
      clearTimeout(timer);
      setImmediate(() => subscription.dispose());
      resolve(data);
    });
  });
}
