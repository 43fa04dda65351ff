/** A model and the records that it was trained on as bytes: it ranks with those, whatever changes. */
import { promisify } from 'node:util';
import { deserialize, serialize } from 'node:v8';
import { constants, gunzip, gzip } from 'node:zlib';
import type { InvestmentData, Investments, Investor, RankingModel, Startup } from '@vcds/matching';

/** Records as columns. Texts that repeat are numbers of a dictionary. */
interface Columns {
  readonly id: readonly string[];
  readonly country: Uint32Array;
  readonly region: Uint32Array;
  readonly city: Uint32Array;
  readonly founded: Uint16Array;
  /** Tags of record k: from `tagsEnd[k - 1]` up to `tagsEnd[k]`. */
  readonly tags: Uint32Array;
  readonly tagsEnd: Uint32Array;
}

interface Stored {
  readonly model: RankingModel;
  readonly dictionary: readonly string[];
  readonly startups: Columns;
  readonly investors: Columns;
  readonly names: readonly string[];
  readonly types: Uint32Array;
  readonly stages: readonly (readonly number[])[];
  readonly investments: Investments;
}

/** A model that was read, with its records. */
export interface LoadedModel {
  readonly model: RankingModel;
  readonly data: InvestmentData;
}

/** The model and its records, compressed; equal ones are equal bytes. */
export async function encodeModel({ model, data }: LoadedModel): Promise<Buffer> {
  const { investors, startups, investments } = data;
  const codes = new Map<string, number>();
  const codeOf = (text: string): number => {
    const code = codes.get(text) ?? codes.size;
    codes.set(text, code);
    return code;
  };
  const stored: Omit<Stored, 'dictionary'> = {
    ...{ model, investments },
    startups: columnsOf(startups, codeOf),
    investors: columnsOf(investors, codeOf),
    names: investors.map(({ name }) => name),
    types: Uint32Array.from(investors, ({ type }) => codeOf(type)),
    stages: investors.map(({ stages }) => stages),
  };
  const bytes = serialize({ ...stored, dictionary: [...codes.keys()] });
  return await promisify(gzip)(bytes, { level: constants.Z_BEST_SPEED });
}

/** The model of {@link encodeModel}. */
export async function decodeModel(encoded: Uint8Array): Promise<LoadedModel> {
  const stored: Stored = deserialize(await promisify(gunzip)(encoded));
  const { model, dictionary, names, types, stages, investments } = stored;
  const investors = recordsOf(stored.investors, dictionary).map(
    (record, k): Investor => ({
      ...record,
      ...{ name: names[k] ?? '', type: dictionary[types[k] ?? -1] ?? '', stages: stages[k] ?? [] },
    }),
  );
  const startups = recordsOf(stored.startups, dictionary);
  return { model, data: { investors, startups, investments } };
}

function columnsOf(records: readonly Startup[], codeOf: (text: string) => number): Columns {
  const codes = (read: (record: Startup) => string) =>
    Uint32Array.from(records, (record) => codeOf(read(record)));
  let end = 0;
  return {
    id: records.map(({ id }) => id),
    country: codes(({ country }) => country),
    region: codes(({ region }) => region),
    city: codes(({ city }) => city),
    founded: Uint16Array.from(records, ({ founded }) => founded),
    tags: Uint32Array.from(records.flatMap(({ tags }) => tags.map(codeOf))),
    tagsEnd: Uint32Array.from(records, ({ tags }) => (end += tags.length)),
  };
}

function recordsOf(columns: Columns, dictionary: readonly string[]): Startup[] {
  const { id, tags, tagsEnd, founded } = columns;
  const textOf = (code: number | undefined) => dictionary[code ?? -1] ?? '';
  return id.map((each, k) => ({
    id: each,
    country: textOf(columns.country[k]),
    region: textOf(columns.region[k]),
    city: textOf(columns.city[k]),
    founded: founded[k] ?? 0,
    tags: Array.from(tags.subarray(tagsEnd[k - 1] ?? 0, tagsEnd[k]), textOf),
  }));
}
