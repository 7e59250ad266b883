/**
 * Whether a text is a template (Jinja, Helm, Go) that something else fills in before it is YAML:
 * `{{` or `{%` outside of comments and of quoted or block text, where it is data (chat templates).
 *
 * @param literals stretches of quoted and block text, by offset
 */
export function isTemplate(
  text: string,
  literals: readonly { readonly start: number; readonly end: number }[],
): boolean {
  for (const mark of text.matchAll(/\{\{|\{%/g)) {
    if (literals.some(({ start, end }) => start <= mark.index && mark.index < end)) continue;
    const lineStart = text.lastIndexOf('\n', mark.index) + 1;
    if (!/(?:^|\s)#/.test(text.slice(lineStart, mark.index))) return true;
  }
  return false;
}
