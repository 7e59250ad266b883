/** The syntax of a shell script, as far as a static reader needs it. Places are UTF-16 offsets, end exclusive. */

export interface Spot {
  readonly start: number;
  readonly end: number;
}

export interface Word extends Spot {
  readonly pieces: readonly Piece[];
}

export type Piece = TextPiece | ParameterPiece | ArithmeticPiece | CommandPiece;

/** Literal text. Quoted text is neither split nor taken as a pattern. */
export interface TextPiece extends Spot {
  readonly kind: 'text';
  readonly text: string;
  readonly quoted: boolean;
}

/** `$NAME`, `${NAME…}`. */
export interface ParameterPiece extends Spot {
  readonly kind: 'parameter';
  readonly name: string;
  /** `[@]`, `[3]`, `[$i]`; null without brackets. */
  readonly index: Word | null;
  /** `${#NAME}`. */
  readonly isLength: boolean;
  /** `${!NAME}`. */
  readonly isIndirect: boolean;
  /** `:-`, `%%`, `//`, `:` and so on; empty without. */
  readonly operator: string;
  readonly operands: readonly Word[];
  readonly quoted: boolean;
}

/** `$((…))`: its text is expanded like quoted text, then computed. */
export interface ArithmeticPiece extends Spot {
  readonly kind: 'arithmetic';
  readonly expression: Word;
  readonly quoted: boolean;
}

/** `$(…)`, backquotes, `<(…)`: what they give is known only to who runs them. */
export interface CommandPiece extends Spot {
  readonly kind: 'command';
  readonly quoted: boolean;
}

/** `NAME=word`, `NAME+=word`, `NAME[i]=word`, `NAME=(words)`. */
export interface Assignment extends Spot {
  readonly kind: 'assignment';
  readonly name: string;
  readonly index: string | null;
  readonly appends: boolean;
  readonly value: Word | readonly Word[];
}

export interface SimpleCommand extends Spot {
  readonly kind: 'simple';
  readonly assignments: readonly Assignment[];
  /** Words that are assignments only after `export`, `declare` and their kind. */
  readonly words: readonly (Word | Assignment)[];
}

export type Command =
  | SimpleCommand
  | (Spot & {
      readonly kind: 'branches';
      readonly tests: readonly List[];
      readonly branches: readonly List[];
    })
  | (Spot & {
      readonly kind: 'loop';
      readonly variable: string | null;
      readonly test: List;
      readonly body: List;
    })
  | (Spot & { readonly kind: 'function'; readonly name: string; readonly body: Command })
  | (Spot & { readonly kind: 'group' | 'subshell'; readonly body: List })
  /** `((…))` and `[[…]]`: the text decides what they may change. */
  | (Spot & { readonly kind: 'opaque'; readonly text: string });

/** Commands joined by `|`; with more than one, each runs in a shell of its own. */
export type Pipeline = readonly Command[];

/** Pipelines joined by `&&` and `||`: all but the first run only perhaps. */
export interface ListItem {
  readonly pipelines: readonly Pipeline[];
  readonly isBackground: boolean;
}

export type List = readonly ListItem[];

/** What a person should know about the script itself. */
export interface ScriptProblem extends Spot {
  readonly code: 'commentInContinuation' | 'spaceAfterBackslash' | 'syntax' | 'carriageReturn';
  readonly message: string;
}

/** Thrown inside the parser where the text is no shell script; never leaves `readScript`. */
export class SyntaxProblem extends Error {
  readonly at: number;
  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}
