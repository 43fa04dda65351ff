/** A longer list has too many items for a field. */
const ITEMS_MAX = 10_000;
const BRACKETS: Readonly<Record<string, string>> = { '[': ']', '{': '}', '(': ')' };
/** Unquoted items that stand for no value in Python, JSON and PostgreSQL. */
const NOTHING = new Set(['', 'none', 'null', 'nan']);

/**
 * The items of a list in one cell: Python or JSON (`['AI', "Food, Drink"]`), an array of PostgreSQL
 * (`{AI,"Food, Drink"}`), or plain items, of which some are quoted. In quotes, a backslash or a
 * second quote escapes.
 *
 * @returns undefined for a quote or bracket without its end, and a list within the list.
 */
export function readList(given: string, separator = ','): readonly string[] | undefined {
  const text = given.trim();
  const end = BRACKETS[text.charAt(0)];
  if (end !== undefined && !text.endsWith(end)) return undefined;
  const inner = end === undefined ? text : text.slice(1, -1);
  const items: string[] = [];
  for (let at = 0; at <= inner.length; ) {
    while (/\s/u.test(inner.charAt(at))) at += 1;
    const quote = inner.charAt(at);
    if (quote === '"' || quote === "'") {
      const quoted = readQuoted(inner, at, quote);
      if (quoted === undefined) return undefined;
      items.push(quoted.item);
      at = quoted.end;
      while (/\s/u.test(inner.charAt(at))) at += 1;
      if (at < inner.length && !inner.startsWith(separator, at)) return undefined;
    } else {
      const next = inner.indexOf(separator, at);
      const item = inner.slice(at, next === -1 ? inner.length : next).trim();
      if (end !== undefined && /[[\]{}]/u.test(item)) return undefined;
      if (!(end === undefined ? item === '' : NOTHING.has(item.toLowerCase()))) items.push(item);
      at = next === -1 ? inner.length : next;
    }
    if (items.length > ITEMS_MAX) return undefined;
    at += separator.length;
  }
  return items;
}

/** The quoted item that begins at a position, and the position behind it. */
function readQuoted(text: string, start: number, quote: string) {
  let item = '';
  for (let at = start + 1; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '\\') {
      const escaped = /^\\u([0-9a-f]{4})/iu.exec(text.slice(at, at + 6))?.[1];
      item +=
        escaped === undefined
          ? text.charAt(at + 1)
          : String.fromCharCode(Number.parseInt(escaped, 16));
      at += escaped === undefined ? 1 : 5;
    } else if (character !== quote) item += character;
    else if (text.charAt(at + 1) === quote) {
      item += quote;
      at += 1;
    } else return { item, end: at + 1 };
  }
  return undefined;
}
