import { nearest } from '@vcds/odata-query';
import { ImportError } from '../errors/import-error.ts';

/** A fault of a mapping, and its position. */
export interface MappingError {
  /** A JSON Pointer into the mapping file; empty for the file as a whole. */
  readonly at: string;
  readonly message: string;
}

/** Further faults are only counted. */
const FAULTS_SHOWN_MAX = 50;

/** An error that lists every fault of a mapping once, each with its position. */
export function mappingError(name: string, faults: readonly MappingError[]): ImportError {
  const lines = [...new Set(faults.map(({ at, message }) => `  ${at || '/'}: ${message}`))];
  const shown = lines.slice(0, FAULTS_SHOWN_MAX);
  if (lines.length > shown.length) shown.push(`  and ${lines.length - shown.length} more`);
  const count = lines.length === 1 ? 'an error' : `${lines.length} errors`;
  return new ImportError('mapping', `The mapping ${name} has ${count}:\n${shown.join('\n')}`);
}

/** The JSON Pointer of a member. */
export function pointer(at: string, ...members: readonly (string | number)[]): string {
  const escaped = members.map((each) => String(each).replaceAll('~', '~0').replaceAll('/', '~1'));
  return [at, ...escaped].join('/');
}

/** `; did you mean "x"?` if one of the names is near, otherwise the names. */
export function hint(wanted: string, names: readonly string[]): string {
  const meant = nearest(wanted, names);
  if (meant !== undefined) return `; did you mean "${meant}"?`;
  const shown = names.slice(0, 30).join(', ');
  return names.length === 0 ? '' : ` (valid: ${shown}${names.length > 30 ? ', …' : ''})`;
}
