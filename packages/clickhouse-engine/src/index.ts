export { placeOf } from './client.ts';
export { ClickHouseEngine, type ClickHouseEngineOptions } from './engine.ts';
export { CopyWriter, type CopyWriterOptions } from './writer.ts';
