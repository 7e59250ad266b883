import { useRef } from 'preact/hooks';
import { step } from './keys';

/** One of a few, side by side: a radio group whose arrows move and choose. */
export const Segmented = <T extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: T;
  options: readonly { readonly value: T; readonly label: string; readonly title?: string }[];
  onChange: (value: T) => void;
}) => {
  const group = useRef<HTMLDivElement | null>(null);
  const chosen = options.findIndex((option) => option.value === value);
  return (
    <div
      ref={group}
      class="rs-segments"
      role="radiogroup"
      aria-label={label}
      onKeyDown={(event) => {
        const next = step(event.key, chosen, options.length, 'both', true);
        const option = next === null ? undefined : options[next];
        if (next === null || option === undefined) return;
        event.preventDefault();
        onChange(option.value);
        const button = group.current?.children[next];
        if (button instanceof HTMLElement) button.focus();
      }}
    >
      {options.map((option, i) => (
        <button
          key={option.value}
          type="button"
          role="radio"
          aria-checked={option.value === value}
          tabIndex={i === Math.max(0, chosen) ? 0 : -1}
          title={option.title}
          onClick={() => onChange(option.value)}
        >
          {option.label}
        </button>
      ))}
    </div>
  );
};
