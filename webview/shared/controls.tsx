import {
  provideVSCodeDesignSystem,
  vsCodeButton,
  vsCodeCheckbox,
  vsCodeDropdown,
  vsCodeOption,
  vsCodeTextField,
} from '@vscode/webview-ui-toolkit';
import { h, type ComponentChildren, type RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Icon, type IconName } from './icon';
import { say } from './strings';

/** The one file that knows the toolkit's widgets; another library would change only this file and its style. */
provideVSCodeDesignSystem().register(
  vsCodeButton(),
  vsCodeCheckbox(),
  vsCodeDropdown(),
  vsCodeOption(),
  vsCodeTextField(),
);

export interface ButtonProps {
  /** `primary`: at most one in a panel; `plain`: without a ground. */
  readonly look?: 'primary' | 'secondary' | 'plain';
  readonly icon?: IconName;
  /** Icon after the text, for menus. */
  readonly after?: IconName;
  readonly title?: string;
  /** Why it cannot be pressed now; it stays reachable, so that the reason can be read and heard. */
  readonly off?: string | null;
  /** The job has been asked and has not answered: the turning mark. */
  readonly requested?: boolean;
  readonly expanded?: boolean;
  readonly label?: string;
  readonly onPress: () => void;
  readonly children?: ComponentChildren;
}

export const Button = ({
  look = 'secondary',
  icon,
  after,
  title,
  off = null,
  requested = false,
  expanded,
  label,
  onPress,
  children,
}: ButtonProps) => {
  const still = off !== null || requested;
  const shown: IconName | undefined = requested ? 'sync' : icon;
  return h(
    'vscode-button',
    {
      appearance: look === 'primary' ? 'primary' : 'secondary',
      class: `${look === 'plain' ? 'rs-plain' : ''}${off === null ? '' : ' rs-off'}`,
      title: off ?? (requested ? say('requested') : title),
      'aria-label': label,
      'aria-disabled': still ? 'true' : undefined,
      'aria-haspopup': expanded === undefined ? undefined : 'menu',
      'aria-expanded': expanded === undefined ? undefined : String(expanded),
      onClick: () => {
        if (!still) onPress();
      },
    },
    shown === undefined ? null : <Icon name={shown} turning={requested} />,
    children,
    after === undefined ? null : <Icon name={after} small />,
  );
};

/** The value of a toolkit element at an event; the elements keep it as a property, like the native ones. */
const valueOf = (event: Event): string => {
  const { target } = event;
  return target instanceof HTMLElement && 'value' in target ? String(target.value) : '';
};

export interface TextFieldProps {
  readonly value: string;
  readonly label: string;
  readonly placeholder?: string;
  readonly icon?: IconName;
  readonly onInput: (value: string) => void;
  /** Counts up when the field is to take the focus. */
  readonly focusAsked?: number;
}

export const TextField = ({ value, label, placeholder, icon, onInput, focusAsked = 0 }: TextFieldProps) => {
  const field: RefObject<HTMLElement | null> = useRef(null);
  useEffect(() => {
    if (focusAsked > 0) field.current?.focus();
  }, [focusAsked]);
  return h(
    'vscode-text-field',
    {
      ref: field,
      class: 'rs-narrow',
      value,
      placeholder: placeholder ?? '',
      'aria-label': label,
      onInput: (event: Event) => onInput(valueOf(event)),
    },
    icon === undefined ? null : <Icon name={icon} slot="start" />,
  );
};

export interface DropdownProps<T extends string> {
  readonly value: T;
  readonly label: string;
  readonly options: readonly { readonly value: T; readonly label: string }[];
  readonly onChange: (value: T) => void;
}

export const Dropdown = <T extends string>({ value, label, options, onChange }: DropdownProps<T>) =>
  h(
    'vscode-dropdown',
    {
      value,
      'aria-label': label,
      title: label,
      onChange: (event: Event) => {
        const chosen = options.find((option) => option.value === valueOf(event));
        if (chosen && chosen.value !== value) onChange(chosen.value);
      },
    },
    options.map((option) =>
      h(
        'vscode-option',
        { key: option.value, value: option.value, selected: option.value === value },
        option.label,
      ),
    ),
  );

export interface CheckboxProps {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly children: ComponentChildren;
}

export const Checkbox = ({ checked, onChange, children }: CheckboxProps) =>
  h(
    'vscode-checkbox',
    {
      checked,
      onChange: ({ target }: Event) => {
        if (target instanceof HTMLElement && 'checked' in target) onChange(target.checked === true);
      },
    },
    children,
  );
