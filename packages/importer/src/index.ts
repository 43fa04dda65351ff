export { ImportError, type ImportErrorCode } from './import-error.ts';
export type * from './lines.ts';
export type { Mapping } from './mapping/mapping.ts';
export { checkMapping, loadMapping, type MappingSet } from './mapping/mapping-set.ts';
export { mappingSchema } from './mapping/schema-faults.ts';
export { addressParts } from './normalise/address.ts';
export { recordId } from './record-id.ts';
export { recordTables } from './records/index.ts';
export type {
  Counts,
  FileReport,
  ImportReport,
  LongRow,
  LongRows,
  NoteCount,
  SkipCount,
} from './report/import-report.ts';
export { printReport } from './report/print-report.ts';
export { type ImportOptions, importRates, type Progress, runImport } from './run/run-import.ts';
export { type JsonSchema, lineSchema, lineSchemas } from './schema/line-schemas.ts';
export { validateLine } from './schema/line-validator.ts';
export type { LineStream } from './sources/open-source.ts';
export { stopOnSignals } from './stop-on-signals.ts';
