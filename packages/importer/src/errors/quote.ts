import { inspect } from 'node:util';

/** A value as JSON; one that JSON cannot say (a program's own) as a text that shows it. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch {
    return JSON.stringify(inspect(value));
  }
}

/** A value as a message shows it: JSON, cut to 80 characters. */
export function quote(value: unknown): string {
  // JSON has no word for what JSON.parse makes of 1e400.
  if (typeof value === 'number' && !Number.isFinite(value)) return 'a number beyond 1.8e308';
  const json = jsonText(value);
  return json.length <= 80 ? json : `${json.slice(0, 77)}…`;
}
