/** Reads arguments as assistants write them, where there is one meaning only. */
import { isWrittenList, type Schema } from './schemas.ts';

/** The member of arguments that are no object; no argument has this name. */
export const WHOLE = '';

const WHOLE_NUMBER = /^\s*-?\d+(?:\.0|(?:\.\d+)?e\d+)?\s*$/i;
const BOOLEAN = /^\s*(true|false)\s*$/i;

/**
 * A message whose `arguments` are an object: null is none, and the JSON text of an object is the
 * object. Anything else is the member {@link WHOLE} of an object.
 */
export function withReadableArguments<Message>(message: Message): Message {
  if (Array.isArray(message)) return message.map(withReadableArguments) as Message;
  if (!isObject(message) || message.method !== 'tools/call') return message;
  const { params } = message;
  if (!isObject(params) || !('arguments' in params) || isObject(params.arguments)) return message;
  const { arguments: written } = params;
  const read = written === null ? {} : readObject(written);
  return {
    ...message,
    params: { ...params, arguments: isObject(read) ? read : { [WHOLE]: read } },
  };
}

/**
 * A value as its schema wants it: null and empty texts are left out, numbers, booleans, lists and
 * objects may be texts, and values of a closed list are written in any case. A value without a certain
 * meaning stays as it is.
 */
export function lenient(schema: Schema, value: unknown): unknown {
  switch (schema.type) {
    case 'object':
      return readMembers(schema, readObject(value));
    case 'array':
      return readList(schema, value);
    case 'integer':
      return typeof value === 'string' && WHOLE_NUMBER.test(value) ? Number(value) : value;
    case 'boolean':
      return typeof value === 'string' && BOOLEAN.test(value) ? /true/i.test(value) : value;
    case 'string':
      return readText(schema, value);
    default:
      return value;
  }
}

function readMembers(schema: Schema, value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      if (isAbsent(member)) return [];
      const known = schema.properties?.[name];
      const read = known === undefined ? member : lenient(known, member);
      const isEmpty = isAbsent(read) || (Array.isArray(read) && read.length === 0);
      return isEmpty ? [] : [[name, read]];
    }),
  );
}

function readObject(value: unknown): unknown {
  return typeof value === 'string' && /^\s*\{/.test(value) ? parsed(value) : value;
}

function readList({ items = {} }: Schema, value: unknown): unknown {
  if (isObject(value) || value === null || value === undefined) return value;
  const written = typeof value === 'string' ? listIn(value) : [value].flat();
  const present = written.filter((each) => !isAbsent(each)).map((each) => lenient(items, each));
  return [...new Set(present)];
}

/** The values of a JSON list, or of a list with commas in which a value may be in quotes. */
function listIn(text: string): unknown[] {
  const trimmed = text.trim();
  const isList = trimmed.startsWith('[') && trimmed.endsWith(']') && trimmed.length > 1;
  const inner = isList ? trimmed.slice(1, -1) : text;
  const json = isList ? parsed(text) : undefined;
  if (Array.isArray(json)) return json;
  return itemsOf(inner) ?? [text];
}

/** The values between commas; undefined if a quote is not closed, or text follows one. */
function itemsOf(text: string): string[] | undefined {
  const items: string[] = [];
  for (let at = 0; at < text.length; ) {
    while (/\s/.test(text.charAt(at))) at += 1;
    const quote = text.charAt(at);
    const isQuoted = quote === '"' || quote === "'";
    const end = isQuoted ? endOfQuoted(text, at) : endOfPlain(text, at);
    const comma = endOfPlain(text, end);
    if (isQuoted && (end > text.length || text.slice(end, comma).trim() !== '')) return undefined;
    const item = isQuoted ? text.slice(at + 1, end - 1) : text.slice(at, comma).trim();
    items.push(quote === '"' ? item.replaceAll('""', '"') : item);
    at = comma + 1;
  }
  return items;
}

/** Behind the closing quote, past doubled ones; beyond the text if there is none. */
function endOfQuoted(text: string, start: number): number {
  const quote = text.charAt(start);
  let end = text.indexOf(quote, start + 1);
  while (quote === '"' && end >= 0 && text.charAt(end + 1) === quote) {
    end = text.indexOf(quote, end + 2);
  }
  return end < 0 ? text.length + 1 : end + 1;
}

function endOfPlain(text: string, start: number): number {
  const comma = text.indexOf(',', start);
  return comma < 0 ? Math.max(start, text.length) : comma;
}

function readText(schema: Schema, value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'boolean')
    return readText(schema, String(value));
  if (isWrittenList(schema) && Array.isArray(value)) return writtenList(value) ?? value;
  if (typeof value !== 'string') return value;
  const text = value.trim();
  if (schema.pattern !== undefined) return text;
  return schema.enum?.find((each) => each.toLowerCase() === text.toLowerCase()) ?? value;
}

/** A list as the API writes it: a value with a comma or a quote is in quotes. */
function writtenList(values: readonly unknown[]): string | undefined {
  const isPlain = values.every((value) => /^(string|number|boolean)$/.test(typeof value));
  if (!isPlain) return undefined;
  return values
    .map(String)
    .map((each) =>
      /[,"]/.test(each) && !each.includes('(') ? `"${each.replaceAll('"', '""')}"` : each,
    )
    .join(',');
}

function isAbsent(value: unknown): boolean {
  return (
    value === null || value === undefined || (typeof value === 'string' && value.trim() === '')
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
