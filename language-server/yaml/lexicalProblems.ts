import { CST, Lexer } from 'yaml';
import type { YamlProblem } from './construct';

// PyYAML's reader refuses everything outside these ranges before any parsing.
const NOT_PRINTABLE = /[^\t\n\r\u0020-\u007e\u0085\u00a0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;
/** Line ends for PyYAML that npm yaml takes for ordinary characters. */
const OTHER_BREAKS = /\r(?!\n)|[\u0085\u2028\u2029]/g;

/** The text with every line end that PyYAML knows written as \n; every offset stays as it was. */
export function withPlainBreaks(text: string): string {
  return text.replace(OTHER_BREAKS, '\n');
}

/** What PyYAML's reader and scanner refuse and npm yaml lets pass: control characters, and tabs between tokens. */
export function lexicalProblems(text: string): YamlProblem[] {
  const character = NOT_PRINTABLE.exec(text);
  if (character) {
    const code = (character[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    const message = `the character U+${code} is not allowed in YAML; remove it`;
    return [{ phase: 'reader', message, start: character.index, end: character.index + character[0].length }];
  }
  return text.includes('\t') ? tabProblems(text) : [];
}

function tabProblems(text: string): YamlProblem[] {
  let offset = 0;
  let inBlock = false;
  let isScalarText = false;
  for (const lexeme of new Lexer().lex(text)) {
    // The lexer's markers have no width in the text.
    if (lexeme === CST.DOCUMENT || lexeme === CST.FLOW_END) continue;
    if (lexeme === CST.SCALAR) {
      isScalarText = true;
      continue;
    }
    const type = isScalarText ? 'scalar' : CST.tokenType(lexeme);
    if (type === 'block-scalar-header') inBlock = true;
    const tab = lexeme.indexOf('\t');
    const separates = type === 'space' || type === 'block-scalar-header' || (type === 'scalar' && !inBlock);
    if (tab >= 0 && separates) {
      const message = 'a tab stands where only spaces may separate; PyYAML refuses it';
      return [{ phase: 'scanner', message, start: offset + tab, end: offset + tab + 1 }];
    }
    if (isScalarText) {
      isScalarText = false;
      inBlock = false;
    }
    offset += lexeme.length;
  }
  return [];
}
