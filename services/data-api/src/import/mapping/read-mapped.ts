/** Rows of a CSV, TSV or JSONL file, turned into lines by a mapping. */
import { pipeline, Readable } from 'node:stream';
import { type Options, parse } from 'csv-parse';
import { ImportError } from '../import-error.ts';
import { readNdjson } from '../sources/read-lines.ts';
import type { SourceItem, SourceItems } from '../sources/source-item.ts';
import { decode, isUtf8Mapping } from './decode.ts';
import { compileMapping, type RowMapper } from './map-row.ts';
import type { Mapping } from './mapping.ts';
import { jsonRow, namedRow } from './row.ts';

const handful = 200;
const cellCharactersMax = 8 * 1024 * 1024;

/**
 * Reads a file through a mapping. Lines are counted in rows, without the header.
 * @throws ImportError where the file cannot be read as the mapping says.
 */
export function readMapped(
  file: number,
  bytes: AsyncIterable<Buffer>,
  mapping: Mapping,
): SourceItems {
  const mapper = compileMapping(mapping);
  return mapping.format === 'jsonl'
    ? readObjects(file, isUtf8Mapping(mapping) ? bytes : utf8Of(decode(bytes, mapping)), mapper)
    : readTable(file, bytes, mapping, mapper);
}

/** A line that is no UTF-8 is rejected by itself, so what is UTF-8 already is read as it is. */
async function* utf8Of(texts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  for await (const text of texts) yield Buffer.from(text, 'utf8');
}

async function* readObjects(
  file: number,
  bytes: AsyncIterable<Buffer>,
  mapper: RowMapper,
): SourceItems {
  for await (const items of readNdjson(file, bytes)) {
    yield items.flatMap((item): readonly SourceItem[] => {
      if (item.kind !== 'line') return [item];
      const { line, place, original } = item;
      if (typeof line === 'object' && line !== null && !Array.isArray(line)) {
        return mapper.map(jsonRow(line as Readonly<Record<string, unknown>>), place);
      }
      return [{ kind: 'fault', place, original, reason: 'the row is not a JSON object' }];
    });
  }
}

async function* readTable(
  file: number,
  bytes: AsyncIterable<Buffer>,
  mapping: Mapping,
  mapper: RowMapper,
): SourceItems {
  let header = mapping.csv?.columns;
  if (header !== undefined) checkHeader(header, mapper, mapping);
  let line = 0;
  let items: SourceItem[] = [];
  for await (const cells of cellsOf(bytes, mapping)) {
    if (header === undefined) {
      header = cells.map((name) => name.trim());
      checkHeader(header, mapper, mapping);
      continue;
    }
    line += 1;
    if (header.length > 1 && cells.length === 1 && cells[0] === '') continue;
    items.push(...rowItems(header, cells, { file, line }, mapper));
    if (items.length >= handful) {
      yield items;
      items = [];
    }
  }
  yield items;
}

function rowItems(
  header: readonly string[],
  cells: readonly string[],
  place: { readonly file: number; readonly line: number },
  mapper: RowMapper,
): readonly SourceItem[] {
  if (cells.length !== header.length) {
    const reason = `the row has ${cells.length} cells, the header ${header.length}`;
    return [{ kind: 'fault', place, original: cells, reason }];
  }
  const named = Object.fromEntries(header.map((name, index) => [name, cells[index] ?? '']));
  return mapper.map(namedRow(named), place);
}

async function* cellsOf(
  bytes: AsyncIterable<Buffer>,
  mapping: Mapping,
): AsyncGenerator<readonly string[]> {
  const { csv = {} } = mapping;
  const options: Options = {
    bom: true,
    delimiter: csv.delimiter ?? ',',
    quote: csv.quote === undefined ? '"' : csv.quote,
    escape: csv.escape ?? '"',
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: cellCharactersMax,
    ...(csv.lineEnd === undefined ? {} : { record_delimiter: csv.lineEnd }),
  };
  const parser = parse(options);
  // A failure to read or decode reaches the loop as one of the parser.
  pipeline(Readable.from(decode(bytes, mapping)), parser, () => undefined);
  try {
    for await (const cells of parser) {
      yield csv.escape === '\\' ? (cells as readonly string[]).map(unescapeCell) : cells;
    }
  } catch (error) {
    if (error instanceof ImportError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new ImportError('file', `The file cannot be read as ${mapping.name} says: ${reason}`);
  }
}

/** A line end inside quotes bears a backslash too, which the parser leaves. */
function unescapeCell(cell: string): string {
  return cell.includes('\\') ? cell.replace(/\\(?=[\r\n])/gu, '') : cell;
}

function checkHeader(header: readonly string[], mapper: RowMapper, mapping: Mapping): void {
  const twice = header.find((name, at) => mapper.columns.has(name) && header.indexOf(name) !== at);
  if (twice !== undefined) {
    throw new ImportError('mapping', `${mapping.name}: the file has two columns ${twice}.`);
  }
  const missing = [...mapper.columns].find((column) => !header.includes(column));
  if (missing === undefined) return;
  const known = header.join(', ');
  throw new ImportError(
    'mapping',
    `${mapping.name}: the file has no column ${missing} (${known}).`,
  );
}
