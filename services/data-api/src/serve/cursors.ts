import { type ActivityCursorCodec, createActivityCursorCodec } from '../activity/cursor.ts';
import { type ChangeCursorCodec, createChangeCursorCodec } from '../changes/cursor.ts';
import { createPageCursorCodec, type PageCursorCodec } from '../collections/cursor.ts';
import { type CursorCodec, createCursorCodec } from '../signals/cursor.ts';

/** The cursors of feeds and of collections. */
export interface Cursors {
  readonly signals: CursorCodec;
  readonly changes: ChangeCursorCodec;
  readonly activity: ActivityCursorCodec;
  readonly pages: PageCursorCodec;
}

/** @param secrets the first encodes, all of them decode, so that one can be replaced. */
export function createCursors(secrets: readonly string[]): Cursors {
  return {
    signals: createCursorCodec(secrets),
    changes: createChangeCursorCodec(secrets),
    activity: createActivityCursorCodec(secrets),
    pages: createPageCursorCodec(secrets),
  };
}
