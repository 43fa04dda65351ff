import { type ActivityCursorCodec, createActivityCursorCodec } from '../activity/cursor.ts';
import { createPageCursorCodec, type PageCursorCodec } from '../collections/cursor.ts';
import { type CursorCodec, createCursorCodec } from '../signals/cursor.ts';

/** The cursors of both feeds and of collections. */
export interface Cursors {
  readonly signals: CursorCodec;
  readonly activity: ActivityCursorCodec;
  readonly pages: PageCursorCodec;
}

/** @param secrets the first encodes, all of them decode, so that one can be replaced. */
export function createCursors(secrets: readonly string[]): Cursors {
  return {
    signals: createCursorCodec(secrets),
    activity: createActivityCursorCodec(secrets),
    pages: createPageCursorCodec(secrets),
  };
}
