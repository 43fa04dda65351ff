import { checkMapping } from '../src/mapping/mapping-set.ts';
import { readMapped } from '../src/mapping/read-mapped.ts';
import type { SourceItem } from '../src/sources/source-item.ts';

/** The items that a mapping makes of a file: lines, faults and skipped rows. */
export async function mapped(
  mapping: object,
  file: string | Buffer,
): Promise<readonly SourceItem[]> {
  async function* bytes() {
    // Cut where it hurts: in the middle of characters, quotes and line ends.
    const all = Buffer.from(file);
    for (let at = 0; at < all.length; at += 7) yield all.subarray(at, at + 7);
  }
  const checked = checkMapping('test.json', { source: 'test', format: 'csv', ...mapping });
  const items: SourceItem[] = [];
  for await (const some of readMapped(0, bytes(), checked.mappings[0])) items.push(...some);
  return items;
}

/** The lines alone, without what every line has. */
export async function linesOf(mapping: object, file: string | Buffer): Promise<readonly unknown[]> {
  return (await mapped(mapping, file)).map((item) => {
    if (item.kind === 'fault') return item.reason;
    if (item.kind === 'skipped') return item.because;
    if (item.kind === 'long') return `${item.lines} lines`;
    const { op: _op, type: _type, source: _source, ...rest } = item.line as Record<string, unknown>;
    return rest;
  });
}

/** A mapping that makes a startup of each row. */
export const startup = (fields: object, more: object = {}) => ({
  records: [{ type: 'startup', key: '{id}', fields, ...more }],
});
