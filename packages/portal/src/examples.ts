/** A code block of a page that can be run. */
export interface Example {
  readonly language: 'curl' | 'TypeScript' | 'Python';
  readonly code: string;
  /** The answer to the `curl` example on the page. */
  readonly answer?: string | undefined;
}

const OPENINGS = new Map([
  ['```sh [curl]', 'curl'],
  ['```ts [TypeScript]', 'TypeScript'],
  ['```python [Python]', 'Python'],
  ['```json answer', 'answer'],
]);

/** The examples of a page in order. An answer belongs to the nearest `curl` example before it. */
export function examplesOf(page: string): Example[] {
  const examples: Example[] = [];
  const lines = page.split('\n');
  for (const [start, line] of lines.entries()) {
    const kind = OPENINGS.get(line);
    if (kind === undefined) continue;
    const code = `${lines.slice(start + 1, lines.indexOf('```', start)).join('\n')}\n`;
    if (kind !== 'answer') examples.push({ language: kind, code } as Example);
    const last = examples.findLastIndex(({ language }) => language === 'curl');
    const example = examples[last];
    if (kind === 'answer' && example) examples[last] = { ...example, answer: code };
  }
  return examples;
}

/** The page with another answer of a `curl` example. */
export function withAnswer(page: string, example: Example, answer: string): string {
  const at = page.indexOf(example.code) + example.code.length;
  const text = '```json answer\n';
  const start = page.indexOf(text, at) + text.length;
  return page.slice(0, start) + answer + page.slice(page.indexOf('```', start));
}

/** The JSON arrays or objects that an example prints, one after another. */
export function valuesIn(output: string): unknown[] {
  return JSON.parse(`[${output.trim().replaceAll(/\]\s*\[/g, '],[')}]`);
}
