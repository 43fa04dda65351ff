import type { ImportLine } from '@vcds/importer';

export type Fields = Readonly<Record<string, unknown>>;

interface Ref {
  readonly key: string;
  readonly type?: string;
}

/** The key of a reference. */
export const keyOf = (ref: unknown): string => (ref as Ref | null)?.key ?? '';

/** The records that a line refers to, each as its type and key. */
export function referencesOf(line: ImportLine): string[] {
  const fields: Fields = { ...line };
  const companies = ['Round', 'Fund', 'Startup', 'Person', 'Company'].map((name) => [
    name,
    fields[name],
  ]);
  const investors = [fields.Investor, fields.Investors].flat().map((ref) => ['', ref]);
  return [...companies, ...investors].flatMap(([name, ref]) => {
    const keyed = ref as Ref | null | undefined;
    return keyed ? [`${keyed.type ?? String(name).toLowerCase()} ${keyed.key}`] : [];
  });
}

/** The record of a line: its type, and its key or what identifies it instead. */
export const recordOf = (line: ImportLine): string => {
  const page = line.type === 'observation' ? [line.Url] : [];
  return `${line.type} ${line.key ?? [...referencesOf(line), ...page].join(' ')}`;
};

/** The final records of a data set by type, each by its key or the records that it connects. */
export function finalRecords(lines: Iterable<ImportLine>): Map<string, Map<string, Fields>> {
  const records = new Map<string, Map<string, Fields>>();
  for (const line of lines) {
    const ofType = records.get(line.type) ?? new Map<string, Fields>();
    records.set(line.type, ofType);
    const key = line.key ?? recordOf(line);
    if (line.op === 'delete') ofType.delete(key);
    else ofType.set(key, line.op === 'patch' ? { ...ofType.get(key), ...line } : { ...line });
  }
  return records;
}
