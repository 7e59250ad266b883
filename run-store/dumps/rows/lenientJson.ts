/** A JSON string, or one of the words that Python writes for numbers that JSON does not have. */
const STRING_OR_WORD = /"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/g;

/**
 * JSON, also with NaN, Infinity and −Infinity as Python writes them: those become null, which no score is.
 * undefined for what is no JSON.
 */
export function parseLenient(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    if (!text.includes('NaN') && !text.includes('Infinity')) return undefined;
  }
  try {
    return JSON.parse(
      text.replace(STRING_OR_WORD, (found) => (found.startsWith('"') ? found : 'null')),
    ) as unknown;
  } catch {
    return undefined;
  }
}
