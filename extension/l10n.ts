type Argument = string | number | boolean;
type Translate = (message: string, ...args: Argument[]) => string;

const fill: Translate = (message, ...args) =>
  message.replace(/\{(\d+)\}/g, (whole, place: string) => String(args[Number(place)] ?? whole));

let translate: Translate = fill;

/** Given VS Code's own `l10n.t` at activation; tests and plain modules get English. */
export function setTranslate(next: Translate): void {
  translate = next;
}

/** A text for a person. `{0}`, `{1}` stand for the arguments. */
export const t: Translate = (message, ...args) => translate(message, ...args);
