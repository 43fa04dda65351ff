export {
  type ColumnarEngineOptions,
  ColumnarFacetEngine,
  type ColumnarState,
  type EngineLogger,
  type EngineMetrics,
} from './engine.ts';
export { timeText } from './group-keys.ts';
export * from './port.ts';
export type {
  DimensionSchema,
  EntitySchema,
  FacetSchema,
  LinkSchema,
  RelationSchema,
} from './schema.ts';
export { dimensionSlots } from './schema.ts';
export { type FacetSink, FacetSource, MissingBatchError } from './source.ts';
