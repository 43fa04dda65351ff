import { OPERATORS, type Operator } from './operator.ts';

type Connective = 'and' | 'or' | 'not';
type Constant = 'true' | 'false' | 'null';
/** A word with a meaning of its own, in lower case; where a field stands, operators are names. */
export type Keyword = Operator | Connective | Constant;

const CONNECTIVES: readonly Connective[] = ['and', 'or', 'not'];
const CONSTANTS: readonly Constant[] = ['true', 'false', 'null'];
const KEYWORDS: ReadonlyMap<string, Keyword> = new Map(
  [...OPERATORS, ...CONNECTIVES, ...CONSTANTS].map((keyword) => [keyword, keyword]),
);
const LENGTH_MIN = 2;
const LENGTH_MAX = 5;
const ASCII_WORD = /^[A-Za-z]+$/;

/**
 * The keyword a word stands for, in any case; undefined for any other word. Lower case is for
 * ASCII words only: `liKe` with a Kelvin sign is no keyword.
 */
export function keywordNamed(word: string): Keyword | undefined {
  if (word.length < LENGTH_MIN || word.length > LENGTH_MAX) return undefined;
  const exact = KEYWORDS.get(word);
  if (exact !== undefined || !ASCII_WORD.test(word)) return exact;
  return KEYWORDS.get(word.toLowerCase());
}

export function isConnective(keyword: Keyword | undefined): keyword is Connective {
  return keyword === 'and' || keyword === 'or' || keyword === 'not';
}

export function isConstant(keyword: Keyword | undefined): keyword is Constant {
  return keyword === 'true' || keyword === 'false' || keyword === 'null';
}

export function isOperator(keyword: Keyword | undefined): keyword is Operator {
  return keyword !== undefined && !isConnective(keyword) && !isConstant(keyword);
}
