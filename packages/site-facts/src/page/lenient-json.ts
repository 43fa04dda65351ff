// The ends of tokens are optional, so no position is read twice where an end is missing.
const COMMENTS =
  /"(?:[^"\\]|\\[\s\S])*"?|\/\/[^\n\r]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?|<!--(?:[^[{<>]*-->)?|-->|<!\[CDATA\[|\]\]>/gu;
const GAPS = /"(?:[^"\\]|\\[\s\S])*"?|,\s*(?=[\]}])|:\s*(?=[,\]}])/gu;

/**
 * Parses JSON as pages have it: with comments, commas before a closing bracket, missing values,
 * control characters in strings, and wrapped in a comment of HTML or in CDATA.
 *
 * Passes of linear time without recursion, and `JSON.parse`, whatever the nesting.
 *
 * @returns undefined for a text that is still no JSON.
 */
export function parseLenientJson(text: string): unknown {
  for (const form of [() => text, () => repaired(text)]) {
    try {
      return JSON.parse(form());
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
  return undefined;
}

function repaired(text: string): string {
  const uncommented = text.replace(COMMENTS, (token) => (token[0] === '"' ? escaped(token) : ' '));
  const json = uncommented
    .replace(GAPS, (token) => (token[0] === ',' ? '' : token[0] === ':' ? ':null' : token))
    .trimEnd();
  return json.endsWith(';') ? json.slice(0, -1) : json;
}

function escaped(string: string): string {
  return string.replace(/\p{Cc}/gu, ' ');
}
