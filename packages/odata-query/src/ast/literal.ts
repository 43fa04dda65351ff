export type LiteralType = 'string' | 'number' | 'date' | 'instant' | 'uuid' | 'boolean' | 'null';

/** A value as the caller wrote it; what it means depends on the field it is compared with. */
export interface Literal {
  readonly kind: 'literal';
  readonly type: LiteralType;
  /** Of a string its characters, quotes undoubled; of all else the text as written. */
  readonly text: string;
  readonly position: number;
}

export const literal = (type: LiteralType, text: string, position: number): Literal =>
  Object.freeze({ kind: 'literal', type, text, position });
