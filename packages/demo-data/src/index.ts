export { datasetLines, generateDataset } from './dataset.ts';
export { fillDatabase } from './fill-database.ts';
export type { DatasetOptions } from './spec.ts';
