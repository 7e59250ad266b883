/**
 * PyYAML ignores indentation inside [ ] and { }; npm yaml does not. For a second try at a text, writes each flow
 * collection that starts at one of `starts` on one line: line ends and comments become spaces, quoted text stays.
 * Every offset stays as it was. A collection that never closes is left alone.
 */
export function flattenFlow(text: string, starts: readonly number[]): string {
  let result = '';
  let copied = 0;
  for (const start of [...starts].sort((a, b) => a - b)) {
    if (start < copied) continue;
    const flat = flatCollection(text, start);
    if (flat === undefined) continue;
    result += text.slice(copied, start) + flat;
    copied = start + flat.length;
  }
  return result + text.slice(copied);
}

function flatCollection(text: string, start: number): string | undefined {
  let depth = 0;
  let flat = '';
  let at = start;
  while (at < text.length) {
    const character = text.charAt(at);
    if (character === '"' || character === "'") {
      const end = quoteEnd(text, at);
      flat += text.slice(at, end);
      at = end;
      continue;
    }
    if (character === '#' && /[\s,[{]/.test(text.charAt(at - 1))) {
      const lineEnd = text.indexOf('\n', at);
      const end = lineEnd < 0 ? text.length : lineEnd;
      flat += ' '.repeat(end - at);
      at = end;
      continue;
    }
    if (character === '[' || character === '{') depth += 1;
    if (character === ']' || character === '}') depth -= 1;
    flat += character === '\n' || character === '\r' ? ' ' : character;
    at += 1;
    if (depth === 0) return flat;
  }
  return undefined;
}

function quoteEnd(text: string, start: number): number {
  const quote = text.charAt(start);
  for (let at = start + 1; at < text.length; at += 1) {
    if (quote === '"' && text.charAt(at) === '\\') at += 1;
    else if (text.charAt(at) === quote) return at + 1;
  }
  return text.length;
}
