/** Leaves out the first records of an order, which are counted by the values of one key after the other. */
import type { Catalogue } from './catalogue.ts';
import {
  codeOf,
  type FirstJob,
  type Group,
  isExact,
  type RankedKey,
  type RankJob,
  type Where,
} from './count-job.ts';
import { idBefore } from './first-records.ts';
import { idText } from './id-table.ts';
import type { RecordStart } from './port.ts';

/** Counts of {@link RankJob}. */
export type RunRanks = (job: RankJob) => Promise<Uint32Array>;

/** The counts of a job from the totals, if it counts all records by a key. */
export function storedRanks(
  { entity, where, key }: RankJob,
  catalogue: Catalogue,
): Uint32Array | undefined {
  if (key === undefined || where.kind !== 'and' || where.of.length > 0) return undefined;
  const counts = new Uint32Array(key.ranks.length + 1);
  const totals = catalogue.totalsOf(entity, key.dimension);
  let none = catalogue.liveOf(entity);
  key.ranks.forEach((rank, ordinal) => {
    const total = totals[ordinal] ?? 0;
    counts[codeOf(rank, key)] = total;
    none -= total;
  });
  counts[codeOf(0, key)] = none;
  return counts;
}

/** Records that have one of these codes of a key; adds its values to the groups. */
function withCodes(
  key: RankedKey,
  [least, most]: readonly [number, number],
  groups: Group[],
): Where {
  const { dimension, ranks } = key;
  const isWithin = (rank: number) => codeOf(rank, key) >= least && codeOf(rank, key) <= most;
  const ordinals = Uint32Array.from(ranks.keys()).filter((n) => isWithin(ranks[n] as number));
  const group = groups.push({ dimension, ordinals, size: ranks.length }) - 1;
  const values: Where = { kind: 'group', group };
  const none: Where = { kind: 'not', of: { kind: 'any', dimension } };
  return isWithin(0) ? { kind: 'or', of: [values, none] } : values;
}

/** A key with the code of a position. */
interface Coded {
  readonly key: RankedKey;
  readonly code: number;
}

type Narrowed = Pick<FirstJob, 'groups' | 'where'>;

/** The records that have the codes of a position. */
function recordsAt(position: readonly Coded[], { groups, where }: Narrowed): Narrowed {
  const all = [...groups];
  const equal = position.map(({ key, code }) => withCodes(key, [code, code], all));
  return { groups: all, where: { kind: 'and', of: [where, ...equal] } };
}

/** Where a search ends: after the records that have the codes of a position before this level, and at most this code there. */
interface End {
  readonly level: number;
  readonly code: number;
}

/** The records that are not before a position, up to an end. */
function recordsFrom(
  position: readonly Coded[],
  end: End | undefined,
  { groups, where }: Narrowed,
): Narrowed {
  const all = [...groups];
  const level = end?.level ?? 0;
  const equal = position.slice(0, level).map(({ key, code }) => withCodes(key, [code, code], all));
  const from = position.slice(level).reduceRight<Where | undefined>((rest, { key, code }, i) => {
    const most = i === 0 && end !== undefined ? end.code : key.ranks.length;
    if (rest === undefined) return withCodes(key, [code, most], all);
    const same: Where = { kind: 'and', of: [withCodes(key, [code, code], all), rest] };
    if (code === most) return same;
    return { kind: 'or', of: [withCodes(key, [code + 1, most], all), same] };
  }, undefined);
  const of = from === undefined ? [where, ...equal] : [where, ...equal, from];
  return { groups: all, where: { kind: 'and', of } };
}

/** How a search leaves out records that are not wanted. */
export interface Skipping {
  /** Finds the others, and the rest of those that are not wanted; undefined if they are more than `countMax`. */
  readonly job: FirstJob | undefined;
  /** The position of the first record of the job, or of the first one that is wanted. */
  readonly start: CodedStart | undefined;
}

interface CodedStart {
  readonly position: readonly Coded[];
  readonly id: Uint32Array | undefined;
  readonly before: number;
  readonly equal: number;
}

/**
 * Finds a position in the order of a job after at most `skip` records.
 *
 * @param rest so many records that are not wanted may be found
 */
export async function skipFirst(
  job: FirstJob,
  skip: number,
  rest: number,
  run: RunRanks,
): Promise<Skipping> {
  const { keys, idSign, entity, countMax } = job;
  let skipped = 0;
  let id: Uint32Array | undefined;
  let end: End | undefined;
  /** The keys so far, whether later ones order the records that have their codes, and these records. */
  const position: Coded[] = [];
  let hasOrder = true;
  let equal = { before: 0, records: 0 };
  for (let level = 0; level <= keys.length && skip - skipped > rest; level++) {
    const key = keys[level];
    if (!hasOrder || (key === undefined && idSign === 0)) break;
    const within = level === 0 ? job : recordsAt(position, job);
    const counts = await run({ ...within, entity, key, idSign });
    let code = 0;
    while (code < counts.length - 1 && skipped + (counts[code] as number) <= skip) {
      skipped += counts[code] as number;
      code += 1;
    }
    if (key === undefined) id = idBefore(code, idSign);
    else {
      const last = codeAfter(counts, code, skip + job.count - skipped);
      if (last !== undefined) end = { level, code: last };
      position.push({ key, code });
      hasOrder = isExact([key], code);
      equal = { before: skipped, records: counts[code] as number };
    }
  }
  const isGroup = position.length > 0 && (position.length === keys.length || !hasOrder);
  const isWanted = equal.before + equal.records > skip;
  const areTooMany = isGroup && !(hasOrder && idSign !== 0) && equal.records > countMax;
  const count = job.count + skip - skipped;
  if (count > countMax || areTooMany) {
    const start = { position, id: undefined, before: equal.before, equal: equal.records };
    return { job: undefined, start: position.length > 0 && isWanted ? start : undefined };
  }
  if (skipped === 0) return { job: { ...job, count }, start: undefined };
  const key = keys.reduce(
    (combined, { ranks: { length } }, i) => combined * (length + 1) + (position[i]?.code ?? 0),
    0,
  );
  const narrowed = recordsFrom(position, end, job);
  const found = { ...job, ...narrowed, hasEnd: end !== undefined, from: { key, id }, count };
  return { job: found, start: { position, id, before: skipped, equal: equal.records } };
}

/** The first code up to which so many records from a code on are counted, if others follow; else undefined. */
function codeAfter(counts: Uint32Array, from: number, records: number): number | undefined {
  let counted = 0;
  let found: number | undefined;
  for (let code = from; code < counts.length; code++) {
    const count = counts[code] as number;
    if (found !== undefined && count > 0) return found;
    counted += count;
    if (found === undefined && counted >= records) found = code;
  }
  return undefined;
}

/** A start with its values. */
export function startOf(start: Skipping['start'], catalogue: Catalogue): RecordStart | undefined {
  if (start === undefined) return undefined;
  const { position, id, before, equal } = start;
  const values = position.map(({ key, code }) => {
    // Codes and ranks count from either end, so one becomes the other.
    const rank = codeOf(code, key);
    return rank === 0 ? null : catalogue.valuesOf(key.dimension).numberOfRank(rank);
  });
  return { values, id: id && idText(id, 0), before, equal };
}
