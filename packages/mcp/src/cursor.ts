/** The cursor of a page: where the next one starts, as one text that is only meant to be repeated. */
import { ArgumentError } from './arguments.ts';

/** The position after a number of records. */
export interface Position {
  readonly skip: number;
  /** The cursor of the API for it, which is faster and exact while records change. */
  readonly token: string | undefined;
}

const FORM = /^(\d{1,10})~([\w.=-]*)$/;
/** The place that an answer has for a cursor. */
const LENGTH_MAX = 500;

/** The cursor of a position; without the token if that has the values of long texts. */
export function encodeCursor({ skip, token = '' }: Position): string {
  const cursor = `${skip}~${token}`;
  return cursor.length <= LENGTH_MAX ? cursor : `${skip}~`;
}

/** @throws ArgumentError for a text that is no cursor. */
export function decodeCursor(cursor: unknown): Position {
  if (cursor === undefined) return { skip: 0, token: undefined };
  const [, skip, token = ''] = FORM.exec(String(cursor)) ?? [];
  if (skip === undefined) {
    const message = 'cursor must be next_cursor of an earlier answer to the same call, unchanged.';
    throw new ArgumentError(message, 'cursor');
  }
  return { skip: Number(skip), token: token === '' ? undefined : token };
}

/** `next_cursor` of an answer that is followed by other records. */
export function nextCursor(
  cursor: unknown,
  shown: number,
  { hasNext, cursor: token }: { readonly hasNext: boolean; readonly cursor: string | null },
): { readonly next_cursor?: string } {
  if (!hasNext) return {};
  const skip = decodeCursor(cursor).skip + shown;
  return { next_cursor: encodeCursor({ skip, token: token ?? undefined }) };
}
