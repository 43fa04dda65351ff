import { operatorNamed } from './operator.ts';

export type Connective = 'and' | 'or' | 'not';
export type Constant = 'true' | 'false' | 'null';

const CONNECTIVES: ReadonlyMap<string, Connective> = new Map([
  ['and', 'and'],
  ['or', 'or'],
  ['not', 'not'],
]);
const CONSTANTS: ReadonlyMap<string, Constant> = new Map([
  ['true', 'true'],
  ['false', 'false'],
  ['null', 'null'],
]);
const ASCII_WORD = /^[A-Za-z]{2,5}$/;

/** `and`, `or`, `not` in any case; undefined for any other word. */
export function connectiveNamed(word: string): Connective | undefined {
  return CONNECTIVES.get(inLowerCase(word));
}

/** `true`, `false`, `null` in any case; undefined for any other word. */
export function constantNamed(word: string): Constant | undefined {
  return CONSTANTS.get(inLowerCase(word));
}

/** Whether the word has a meaning of its own somewhere in a filter. */
export function isKeyword(word: string): boolean {
  return (
    operatorNamed(word) !== undefined ||
    connectiveNamed(word) !== undefined ||
    constantNamed(word) !== undefined
  );
}

/** Lower case for ASCII words only: `liKe` with a Kelvin sign is no keyword. */
function inLowerCase(word: string): string {
  return ASCII_WORD.test(word) ? word.toLowerCase() : word;
}
