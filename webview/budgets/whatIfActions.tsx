import type { WhatIfRow, WhatIfView } from '../../protocol/panels/whatIf';
import { Button } from '../shared/controls';
import { count } from '../shared/format';
import { command, header, isPending } from '../shared/host';
import { steeringShown, whyNotSteer } from '../shared/steering';
import { methodName } from './methodInfo';
import { configOf, csvOf, fileName, jsonOf } from './whatIfExport';
import { completeParameters } from './whatIfState';
import { wi } from './whatIfTexts';

/** Whole rollouts of each prompt: an expected count is rounded, its sum by the largest remainders. */
export const wholeCounts = (counts: Float32Array): number[] => {
  const whole = Array.from(counts, Math.floor);
  const total = Math.round(counts.reduce((sum, n) => sum + n, 0));
  const left = total - whole.reduce((sum, n) => sum + n, 0);
  const order = whole
    .map((_, i) => i)
    .sort((a, b) => counts[b]! - whole[b]! - (counts[a]! - whole[a]!) || a - b);
  for (const i of order.slice(0, Math.max(0, left))) whole[i]!++;
  return whole;
};

const Apply = ({ view, row }: { view: WhatIfView; row: WhatIfRow }) => {
  const run = header.value;
  const method = methodName(row.method);
  const offered =
    run?.methods.some(({ kind, method: id }) => kind === 'allocation' && id === row.method) === true;
  const unanswered = row.state === 'done' ? null : wi('notDone', { method });
  const next = run?.lastStep ?? null;
  const counts = row.state === 'done' ? row.outcome.counts : null;
  return (
    <>
      <Button
        icon="debug-continue"
        off={whyNotSteer('steer.method') ?? (offered ? unanswered : wi('notOffered', { method }))}
        title={wi('applyTitle')}
        onPress={() =>
          void command({
            id: 'setMethod',
            kind: 'allocation',
            method: row.method,
            parameters: completeParameters(row),
          })
        }
      >
        {next === null ? wi('applyNext', { method }) : wi('apply', { method, step: count(next + 1) })}
      </Button>
      <Button
        icon="pinned"
        off={whyNotSteer('steer.allocate.each') ?? unanswered}
        requested={view.prompts.some((prompt) => isPending('prompt', prompt, 'allocate'))}
        title={wi('applyBudgetsTitle')}
        onPress={() => {
          if (!counts) return;
          void command({
            id: 'allocate',
            subjects: view.prompts.map((id) => ({ type: 'prompt' as const, id })),
            each: wholeCounts(counts),
          });
        }}
      >
        {wi('applyBudgets')}
      </Button>
    </>
  );
};

/** What can be done with the chosen answer: bring it into the run, or, of a recorded one, into a config; and files. */
export const WhatIfActions = ({ view, row }: { view: WhatIfView; row: WhatIfRow | null }) => {
  const save = (ending: 'csv' | 'json', text: string): void =>
    void command({ id: 'save', name: fileName(view, ending), text });
  return (
    <div class="wi-actions">
      {row && steeringShown() && <Apply view={view} row={row} />}
      {row && !steeringShown() && (
        <Button
          icon="copy"
          title={wi('copyConfigTitle')}
          onPress={() =>
            void command({
              id: 'copy',
              text: configOf({ ...row, parameters: completeParameters(row) }),
            })
          }
        >
          {wi('copyConfig')}
        </Button>
      )}
      <Button look="plain" icon="export" title={wi('csvTitle')} onPress={() => save('csv', csvOf(view))}>
        {wi('csv')}
      </Button>
      <Button look="plain" title={wi('jsonTitle')} onPress={() => save('json', jsonOf(view))}>
        {wi('json')}
      </Button>
    </div>
  );
};
