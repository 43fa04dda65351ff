export {
  type CursorCodec,
  createCursorCodec,
  FEED_START,
  type FeedOrder,
  type FeedPosition,
} from './cursor.ts';
export {
  type ObjectType,
  SIGNAL_TYPES,
  type SignalType,
  type SubjectType,
  signalTypeOf,
  signalTypesDocument,
} from './signal-types.ts';
