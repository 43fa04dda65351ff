export {
  type CursorSeal,
  createCursorSeal,
  FEED_START,
  type FeedOrder,
  type FeedPlace,
} from './cursor.ts';
export {
  type ObjectType,
  SIGNAL_TYPES,
  type SignalType,
  type SubjectType,
  signalTypeOf,
  signalTypesDocument,
} from './signal-types.ts';
