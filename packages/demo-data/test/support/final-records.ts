import type { ImportLine } from '@vcds/importer';

export type Fields = Readonly<Record<string, unknown>>;

/** The final records of a data set, by type and key; relations by their references. */
export function finalRecords(lines: Iterable<ImportLine>): Map<string, Map<string, Fields>> {
  const records = new Map<string, Map<string, Fields>>();
  for (const line of lines) {
    let ofType = records.get(line.type);
    if (ofType === undefined) {
      ofType = new Map();
      records.set(line.type, ofType);
    }
    const fields: Fields = { ...line };
    const key =
      line.key ??
      JSON.stringify([fields.Round, fields.Investor, fields.Fund, fields.Startup, fields.Person]);
    if (line.op === 'delete') ofType.delete(key);
    else if (line.op === 'patch') ofType.set(key, { ...ofType.get(key), ...fields });
    else ofType.set(key, fields);
  }
  return records;
}
