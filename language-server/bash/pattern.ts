/** A shell pattern as a regular expression's source; null where it uses what is not followed here. */
export function patternSource(pattern: string): string | null {
  if (/[[\]\\(|]/.test(pattern)) return null;
  return pattern.replace(/[.*+?^${}()|[\]\\]/g, (each) => {
    if (each === '*') return '.*';
    return each === '?' ? '.' : `\\${each}`;
  });
}

/** `${X#p}`, `${X##p}`, `${X%p}`, `${X%%p}`; null where the pattern is not followed. */
export function trim(text: string, operator: string, pattern: string): string | null {
  const source = patternSource(pattern);
  if (source === null) return null;
  const whole = new RegExp(`^(?:${source})$`, 's');
  const isFront = operator.startsWith('#');
  const lengths = Array.from({ length: text.length + 1 }, (_, length) => length);
  if (operator.length === 2) lengths.reverse();
  for (const length of lengths) {
    const part = isFront ? text.slice(0, length) : text.slice(text.length - length);
    if (whole.test(part)) return isFront ? text.slice(length) : text.slice(0, text.length - length);
  }
  return text;
}

/** `${X/p/r}` and its kind; null where the pattern is not followed. */
export function replace(text: string, operator: string, pattern: string, by: string): string | null {
  const source = patternSource(pattern);
  if (source === null || /[&\\]/.test(by)) return null;
  if (source === '') return text;
  const anchored = operator === '/#' ? `^(?:${source})` : operator === '/%' ? `(?:${source})$` : source;
  return text.replace(new RegExp(anchored, operator === '//' ? 'gs' : 's'), () => by);
}

/** `${X^^}`, `${X,}` and their kind. */
export function changeCase(text: string, operator: string): string {
  const change = (part: string): string =>
    operator.startsWith('^') ? part.toUpperCase() : part.toLowerCase();
  return operator.length === 2 ? change(text) : change(text.slice(0, 1)) + text.slice(1);
}
