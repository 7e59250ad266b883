import type { PasskRows } from '../../protocol/panels/passAtK';
import { Button } from '../shared/controls';
import { count, rate } from '../shared/format';
import { command, isPending } from '../shared/host';
import { steeringShown, whyNotSteer } from '../shared/steering';
import type { DrawnView } from './drawnView';
import { chosenPrompts, curveBy, layout } from './passAtKState';
import { worthIt } from './promptOrder';
import { text } from './texts';

/** The job takes no greater number at once. */
const MOST = 4096;
const CAPABILITY = 'steer.allocate.prompt';

/** Asks for the preview of a re-allocation with the number filled in; nothing is sent before a person confirms it. */
const give = (prompts: readonly string[], add: number): void => {
  void command({ id: 'allocate', subjects: prompts.map((id) => ({ type: 'prompt', id })), add });
};

/** Which prompts are worth more rollouts now, and the command that gives them. */
export const AdviceLine = ({ view, rows }: { view: DrawnView; rows: PasskRows }) => {
  const worth = worthIt(rows);
  const m = rows.adviceRollouts;
  const trained = rows.trained.includes(1);
  return (
    <div class="pk-advice rs-row rs-small">
      <span class="rs-grow">
        {trained
          ? text('worth', { count: count(worth.length), all: count(rows.prompt.length), rollouts: count(m) })
          : text('notTrained', { set: view.set })}
      </span>
      {trained && steeringShown() && worth.length > 0 && (
        <Button
          title={text('giveEachTitle', { rollouts: count(m) })}
          off={whyNotSteer(CAPABILITY)}
          onPress={() =>
            give(
              worth.map((row) => rows.prompt[row] ?? ''),
              m,
            )
          }
        >
          {text('giveEach', { rollouts: count(m), count: count(worth.length) })}
        </Button>
      )}
    </div>
  );
};

const Give = ({ prompt, need, trained }: { prompt: string; need: number; trained: boolean }) => {
  if (!Number.isFinite(need) || need > MOST) return null;
  return (
    <Button
      off={trained ? whyNotSteer(CAPABILITY) : text('heldOutPrompt')}
      requested={isPending('prompt', prompt, 'allocate')}
      onPress={() => give([prompt], need)}
    >
      {text('give', { rollouts: count(need) })}
    </Button>
  );
};

const needText = (need: number): string => (Number.isFinite(need) ? count(need) : text('overMost'));

/** The chosen prompt: how many more rollouts until a first success, handed to the re-allocate command. */
export const AdviceBar = ({ view, rows, row }: { view: DrawnView; rows: PasskRows; row: number }) => {
  const prompt = rows.prompt[row];
  if (prompt === undefined) return <div class="pk-advice rs-small rs-second">{text('choosePrompt')}</div>;
  const half = rows.needHalf[row] ?? NaN;
  const nine = rows.needNine[row] ?? NaN;
  const trained = rows.trained[row] === 1;
  return (
    <div class="pk-advice rs-row rs-small" data-advice={prompt}>
      <span class="rs-strong rs-cut" title={prompt}>
        {prompt}
      </span>
      <span class="rs-second rs-grow">
        {text('until', {
          half: needText(half),
          nine: needText(nine),
          c: count(rows.c[row] ?? 0),
          n: count(rows.n[row] ?? 0),
          mixed: rate(rows.mixed[row] ?? NaN),
          rollouts: count(rows.adviceRollouts),
        })}
      </span>
      {view.by !== 'run' && (
        <Button
          title={text('showCurveTitle')}
          onPress={() => {
            const others = chosenPrompts.value.filter((id) => id !== prompt);
            chosenPrompts.value = [...others, prompt].slice(-12);
            curveBy.value = 'prompt';
            layout.value = 'curves';
          }}
        >
          {text('showCurve')}
        </Button>
      )}
      {steeringShown() && <Give prompt={prompt} need={half} trained={trained} />}
      {steeringShown() && nine !== half && <Give prompt={prompt} need={nine} trained={trained} />}
    </div>
  );
};
