import { Icon, type IconName } from './icon';

/** A button of 24 × 24 with an icon only; `label` is its name and its title. */
export const IconButton = ({
  icon,
  label,
  onPress,
  pressed,
  off = null,
}: {
  icon: IconName;
  label: string;
  onPress: () => void;
  pressed?: boolean;
  off?: string | null;
}) => (
  <button
    type="button"
    class="rs-icon-button"
    title={off ?? label}
    aria-label={label}
    aria-pressed={pressed}
    aria-disabled={off === null ? undefined : true}
    onClick={() => {
      if (off === null) onPress();
    }}
  >
    <Icon name={icon} />
  </button>
);
