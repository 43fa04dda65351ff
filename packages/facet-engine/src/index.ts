export { type ColumnarEngineOptions, ColumnarFacetEngine, type ColumnarState } from './engine.ts';
export * from './port.ts';
