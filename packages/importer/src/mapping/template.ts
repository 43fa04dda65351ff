/**
 * Splits a template such as `{first} {last}`; `{{` and `}}` are literal braces.
 *
 * @returns the texts at even indexes and the columns at odd ones, or the fault of the template.
 */
export function parseTemplate(template: string): readonly string[] | { readonly fault: string } {
  const parts: string[] = [''];
  let opened: number | undefined;
  for (let at = 0; at < template.length; at++) {
    const character = template[at] ?? '';
    const isBrace = character === '{' || character === '}';
    if (opened === undefined && isBrace && template[at + 1] === character) {
      parts[parts.length - 1] += character;
      at += 1;
    } else if (character === '{') {
      if (opened !== undefined) return { fault: unclosed(template, opened) };
      opened = at;
      parts.push('');
    } else if (character === '}') {
      if (opened === undefined) {
        return {
          fault: `"}" at character ${at + 1} has no opening brace; write }} for a literal brace`,
        };
      }
      if (parts.at(-1)?.trim() === '') return { fault: `{} at character ${opened + 1} is empty` };
      opened = undefined;
      parts.push('');
    } else {
      parts[parts.length - 1] += character;
    }
  }
  return opened === undefined ? parts : { fault: unclosed(template, opened) };
}

const unclosed = (template: string, opened: number): string =>
  `"{" at character ${opened + 1} of "${template}" is not closed; write {{ for a literal brace`;
