export { type ColumnarEngineOptions, ColumnarFacetEngine, type ColumnarState } from './engine.ts';
