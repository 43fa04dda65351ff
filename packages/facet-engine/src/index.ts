export {
  type ColumnarEngineOptions,
  ColumnarFacetEngine,
  type ColumnarState,
  type EngineLogger,
  type EngineMetrics,
} from './engine.ts';
export * from './port.ts';
export type {
  DimensionSchema,
  EntitySchema,
  FacetSchema,
  LinkSchema,
  RelationSchema,
} from './schema.ts';
