/** Narrowing by related records: these are marked first, then the records that are linked to them are counted. */
import type { Catalogue } from './catalogue.ts';
import { type Group, MARKED, type MarkJob } from './count-job.ts';
import { groupOf } from './group.ts';
import type { RecordCondition, RelatedNarrowing } from './port.ts';

/** Runs a job; returns the number of records that matched. */
export type RunMark = (job: MarkJob) => Promise<number>;

/** The groups of narrowings by related records. */
export type RelatedGroups = ReadonlyMap<RelatedNarrowing, Group>;

/**
 * Marks the records of each narrowing; returns their groups, with the number of related records that
 * matched as their size: 0 if no record has one.
 */
export async function markRelated(
  entity: string,
  related: readonly RelatedNarrowing[],
  catalogue: Catalogue,
  run: RunMark,
): Promise<RelatedGroups> {
  const marked = related.map(async (each) => {
    const { job, group } = planMark(entity, each, catalogue);
    return [each, { ...group, size: await run(job) }] as const;
  });
  return new Map(await Promise.all(marked));
}

/** The narrowings by related records in a condition. */
export function relatedIn(where: RecordCondition): readonly RelatedNarrowing[] {
  switch (where.kind) {
    case 'related':
      return [where];
    case 'and':
    case 'or':
      return where.of.flatMap(relatedIn);
    case 'not':
      return relatedIn(where.of);
    default:
      return [];
  }
}

function planMark(
  entity: string,
  { relation: id, narrowing }: RelatedNarrowing,
  catalogue: Catalogue,
): { readonly job: MarkJob; readonly group: Group } {
  const { from, to, links, tag } = catalogue.relationOf(id);
  if (from !== entity) throw new RangeError(`The relation ${id} is not one of ${entity}.`);
  const isTarget = links.of === 'to';
  const target = catalogue.entityIndex(isTarget ? from : to);
  const marked = new Uint8Array(new SharedArrayBuffer(catalogue.numbersOf(target)));
  const ofLinks = narrowing.filter(({ dimension }) => dimension === tag);
  if (ofLinks.length > 0 && !isTarget) throw new RangeError(`The links of ${id} are ${from}'s.`);
  const tags = ofLinks
    .map((each) => groupOf(each, catalogue))
    .map(({ ordinals, size }) =>
      Uint8Array.from({ length: size + 1 }, (_, at) => Number(ordinals.includes(at - 1))),
    )
    .reduce<Uint8Array | undefined>(
      (all, each) => all?.map((one, at) => one & (each[at] ?? 0)) ?? each,
      undefined,
    );
  const job: MarkJob = {
    entity: catalogue.entityIndex(to),
    groups: narrowing
      .filter(({ dimension }) => dimension !== tag)
      .map((each) => groupOf(each, catalogue)),
    links: isTarget ? links.index : undefined,
    tags,
    marked,
  };
  const marks = { marked, links: isTarget ? undefined : links.index };
  return { job, group: { dimension: MARKED, ordinals: NONE, size: 0, marks } };
}

const NONE = new Uint32Array(0);
