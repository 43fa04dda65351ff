import { inspect } from 'node:util';

/** A value as JSON; one that JSON cannot say (a program's own) as a text that shows it. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch {
    return JSON.stringify(inspect(value));
  }
}
