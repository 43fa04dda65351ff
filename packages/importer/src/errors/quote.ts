import { inspect } from 'node:util';
import { cutText } from '@vcds/service-kit/cut-text';

/** A value as JSON; a value without a JSON form (from a program) as a JSON text of it. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch {
    return JSON.stringify(inspect(value));
  }
}

/** A value for a message: JSON, cut to 80 characters. */
export function quote(value: unknown): string {
  // JSON.parse returns Infinity for 1e400, which JSON cannot express.
  if (typeof value === 'number' && !Number.isFinite(value)) return 'a number beyond 1.8e308';
  const json = jsonText(value);
  return json.length <= 80 ? json : `${cutText(json, 77)}…`;
}
