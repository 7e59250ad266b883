import { Mark } from '../shared/marks';
import { sentence, type Bars } from './barParts';

/** The hover card of a step: what its bar holds, what a person changed from it on. */
export const BarCard = ({ bars, i }: { bars: Bars; i: number }) => {
  const step = bars.steps[i];
  const marks = bars.marks.filter((mark) => mark.step === step);
  return (
    <>
      <div>{sentence(bars, i)}</div>
      {marks.slice(0, 5).map(({ label }) => (
        <div key={label}>
          <Mark name="down" /> {label}
        </div>
      ))}
    </>
  );
};
