/** Reads the rows of a CSV, TSV or JSONL file as the lines that a mapping makes of them. */

import type { CsvRow } from '../sources/read-csv.ts';
import { readNdjson } from '../sources/read-lines.ts';
import type { SourceItem, SourceItems } from '../sources/source-item.ts';
import { checkHeader, missingColumns, PathCheck } from './check-columns.ts';
import { decode, isUtf8Mapping } from './decode.ts';
import { compileMapping, type RowMapper } from './map-row.ts';
import type { Mapping } from './mapping.ts';
import { isObject, jsonRow } from './row.ts';
import { headerOf, isEmptyLine, rowItems, rowsOf } from './table-rows.ts';
import { namedAsMapped, shapeOf, type TableShape } from './table-shape.ts';

const SAMPLE_ROWS = 200;

/**
 * Reads a file through a mapping, or through another mapper.
 * @throws ImportError if the file does not have the format of the mapping.
 */
export function readMapped(
  file: number,
  bytes: AsyncIterable<Buffer>,
  mapping: Mapping,
  mapper: RowMapper = compileMapping(mapping),
): SourceItems {
  return mapping.format === 'jsonl'
    ? readObjects(
        file,
        isUtf8Mapping(mapping) ? bytes : utf8Of(decode(bytes, mapping)),
        mapper,
        new PathCheck(mapper, mapping),
      )
    : readTable(file, bytes, mapping, mapper);
}

/** Only for other encodings: in a UTF-8 file each line with invalid bytes is rejected alone. */
async function* utf8Of(texts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  for await (const text of texts) yield Buffer.from(text, 'utf8');
}

/** Rows are buffered until the paths of the mapping are checked, up to so many characters. */
const HEAD_CHARACTERS_MAX = 16 * 1024 * 1024;

async function* readObjects(
  file: number,
  bytes: AsyncIterable<Buffer>,
  mapper: RowMapper,
  paths: PathCheck,
): SourceItems {
  let head: SourceItem[] = [];
  let characters = 0;
  let checked = false;
  const map = (items: readonly SourceItem[]) => items.flatMap((item) => mapItem(item, mapper));
  for await (const items of readNdjson(file, bytes)) {
    if (checked) {
      yield map(items);
      continue;
    }
    for (const item of items) {
      head.push(item);
      if (item.kind === 'line' && isObject(item.line)) paths.add(item.line);
      characters += 'original' in item ? String(item.original).length : 0;
    }
    if (!paths.isDone && characters < HEAD_CHARACTERS_MAX) continue;
    paths.rejectMissing();
    checked = true;
    yield map(head);
    head = [];
  }
  if (checked) return;
  paths.rejectMissing();
  yield map(head);
}

function mapItem(item: SourceItem, mapper: RowMapper): readonly SourceItem[] {
  if (item.kind !== 'line') return [item];
  const { line, location, original } = item;
  if (isObject(line)) return mapper.map(jsonRow(line), location);
  return [{ kind: 'fault', location, original, reason: 'the row is not a JSON object' }];
}

async function* readTable(
  file: number,
  bytes: AsyncIterable<Buffer>,
  mapping: Mapping,
  mapper: RowMapper,
): SourceItems {
  const stated = mapping.csv?.columns;
  if (stated !== undefined) checkHeader(stated, mapper.columns, mapping);
  const rows = rowsOf(bytes, mapping);
  let header = stated;
  let shape: TableShape | undefined;
  let items: SourceItem[] = [];
  for await (const row of rows) {
    if (header === undefined) {
      header = namedAsMapped(headerOf(row, mapping), mapper.columns);
      if (missingColumns(header, mapper.columns, mapping).length === 0) {
        checkHeader(header, mapper.columns, mapping);
        continue;
      }
      // Throws, with the line that has the columns if it is near.
      checkHeader(header, mapper.columns, mapping, await nextRows(rows));
      continue;
    }
    if (shape === undefined && !isEmptyLine(row, header)) shape = shapeOf(header, row.cells);
    if (shape === undefined) continue;
    items.push(...rowItems(file, shape, row, mapper, mapping));
    if (items.length >= SAMPLE_ROWS) {
      yield items;
      items = [];
    }
  }
  yield items;
}

/** The header is searched for in so many rows. */
const SEARCHED_ROWS = 20;

async function nextRows(rows: AsyncGenerator<CsvRow>): Promise<readonly CsvRow[]> {
  const next: CsvRow[] = [];
  for await (const row of rows) {
    next.push(row);
    if (next.length === SEARCHED_ROWS) break;
  }
  return next;
}
