import type { ImportLine } from '@vcds/importer';

type Keyed = { readonly key: string; readonly type?: string };

/** The records that a line refers to, each as its type and key. */
export function referencesOf(line: ImportLine): string[] {
  const fields: Readonly<Record<string, unknown>> = { ...line };
  const companies = ['Round', 'Fund', 'Startup', 'Person'].map((name) => [name, fields[name]]);
  const investors = [fields.Investor, fields.Investors].flat().map((ref) => ['', ref]);
  return [...companies, ...investors].flatMap(([name, ref]) => {
    const keyed = ref as Keyed | null | undefined;
    return keyed ? [`${keyed.type ?? String(name).toLowerCase()} ${keyed.key}`] : [];
  });
}

/** The record of a line: its key, or the pair of records that it connects. */
export const recordOf = (line: ImportLine): string =>
  `${line.type} ${line.key ?? referencesOf(line).join(' ')}`;
