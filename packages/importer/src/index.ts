export { ImportError, type ImportErrorCode } from './errors/import-error.ts';
export type { Mapping } from './mapping/mapping.ts';
export { checkMapping, loadMapping, type MappingSet } from './mapping/mapping-set.ts';
export { mappingSchema } from './mapping/schema-faults.ts';
export { addressParts } from './normalise/address.ts';
export { DEFAULT_RATES_FILE } from './rates/load-rates.ts';
export { recordTables } from './records/index.ts';
export type * from './records/lines.ts';
export { recordId } from './records/record-id.ts';
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
export type { Progress } from './report/progress.ts';
export type { LineStream } from './run/open-sources.ts';
export { type ImportOptions, importRates, runImport } from './run/run-import.ts';
export { type JsonSchema, lineSchema, lineSchemas } from './schema/line-schemas.ts';
export { validateLine } from './schema/line-validator.ts';
export { stopOnSignals } from './stop-on-signals.ts';
