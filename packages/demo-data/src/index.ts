export { type DemoDataset, datasetLines, generateDataset } from './dataset.ts';
export { type FillOptions, fillDatabase } from './fill-database.ts';
export type { DatasetOptions } from './spec.ts';
