/** Rows of a CSV, TSV or JSONL file, turned into lines by a mapping. */
import { ImportError } from '../import-error.ts';
import { readNdjson } from '../sources/read-lines.ts';
import type { SourceItem, SourceItems } from '../sources/source-item.ts';
import { decode, isUtf8Mapping } from './decode.ts';
import { compileMapping, type RowMapper } from './map-row.ts';
import type { Mapping } from './mapping.ts';
import { jsonRow } from './row.ts';
import { headerOf, rowItems, rowsOf } from './table-rows.ts';

const handful = 200;

/**
 * Reads a file through a mapping.
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
  let items: SourceItem[] = [];
  for await (const row of rowsOf(bytes, mapping)) {
    if (header === undefined) {
      header = headerOf(row, mapping);
      checkHeader(header, mapper, mapping);
      continue;
    }
    items.push(...rowItems(file, header, row, mapper, mapping));
    if (items.length >= handful) {
      yield items;
      items = [];
    }
  }
  yield items;
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
