export {
  type CursorSeal,
  createCursorSeal,
  FEED_START,
  type FeedOrder,
  type FeedPlace,
} from './cursor.ts';
export { createPublisherMeasures, type PublisherMeasures } from './publish/measures.ts';
export { type PublisherOptions, SignalPublisher } from './publish/publisher.ts';
export {
  type ObjectType,
  SIGNAL_TYPES,
  type SignalType,
  type SubjectType,
  signalTypeOf,
  signalTypesDocument,
} from './signal-types.ts';
