import { echo } from '@vcds/odata-query';

/** Whether a text has no control or format characters, which a suggestion must not send back. */
export function isPlain(text: string): boolean {
  return Array.from(text).every((character) => echo(character) === character);
}
