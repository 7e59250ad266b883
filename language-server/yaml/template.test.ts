import { describe, expect, it } from 'vitest';
import { readYaml } from './readYaml';
import { isTemplate } from './template';

const judge = (text: string): boolean => isTemplate(text, readYaml(text).literals);

describe('isTemplate', () => {
  it.each(['run_name: {{ name }}\n', '{% if x %}\na: 1\n{% endif %}\n', 'a: {{- .Values.x }}\n'])(
    'sees one in %j',
    (text) => {
      expect(judge(text)).toBe(true);
    },
  );

  it.each([
    'chat_template: "{% for m in messages %}{{ m }}{% endfor %}"\n',
    "x: '{{ y }}'\n",
    'x: |\n  {{ y }}\n  {% z %}\n',
    '# {{ y }}\na: 1\n',
    'a: 1 # {{ y }}\n',
    'a: {b: {c: 1}}\n',
  ])('sees none in %j', (text) => {
    expect(judge(text)).toBe(false);
  });
});
