import { ApiError } from '@vcds/service-kit/api-errors';
import { currentIds } from '../merged/current-ids.ts';
import type { Answer, Database } from '../postgres/database.ts';
import { notFound } from '../serve/request/record-id.ts';
import { matchesBody } from './json.ts';
import type { Matching } from './matching.ts';
import type { MatchingPlan } from './plan.ts';
import type { RankedHit, Ranker, RankRequest } from './ranker.ts';
import type { ReferenceRow, SubjectRow } from './sql.ts';
import { compileFundNames, compileReferences, compileSubject } from './sql.ts';

/** The header with the version of the model that ranked. */
const MODEL_VERSION_HEADER = 'X-Model-Version';

export interface MatchingSources {
  readonly database: Pick<Database, 'rows'>;
  readonly matching: Pick<Matching, 'use'>;
}

/** Candidates beyond `top`: some are closed or deleted. */
const SPARE = 50;
/** How many times more candidates each further attempt ranks, and the most: a call has one price. */
const GROWTH = 4;
const CANDIDATES_MAX = 1_000;

/**
 * Ranks with the model that serves, and reads the records of the hits as they are now.
 *
 * @throws ApiError `not_found` for an unknown subject; `unavailable` without a model.
 */
export async function executeMatching(
  asked: MatchingPlan,
  { database, matching }: MatchingSources,
): Promise<Answer> {
  const plan = await ofToday(asked, database);
  const type = plan.subject?.type === 'fund' ? 'startup' : 'fund';
  const record = await readSubject(plan, database);
  return matching.use(async (ranker) => {
    const { hits, rows } = await rankLive(plan, record, ranker, database);
    const reasons = await ranker.explain(requestOf(plan, record, hits.length), hits);
    const partners = reasons.flat().flatMap(({ partnerId }) => partnerId ?? []);
    const explained = hits.map((hit, k) => ({ ...hit, reasons: reasons[k] ?? [] }));
    const names =
      partners.length === 0
        ? []
        : await database.rows<{ id: string; name: string }>(
            compileFundNames([...new Set(partners)]),
          );
    return {
      body: matchesBody(type, explained, rows, new Map(names.map(({ id, name }) => [id, name]))),
      records: rows.length,
      more: false,
      headers: { [MODEL_VERSION_HEADER]: ranker.version },
    };
  });
}

/** The id of a merged company means its record. */
async function ofToday(
  plan: MatchingPlan,
  database: MatchingSources['database'],
): Promise<MatchingPlan> {
  const { subject } = plan;
  if (subject === undefined) return plan;
  const id = (await currentIds([subject.id], database)).get(subject.id) ?? subject.id;
  return { ...plan, subject: { ...subject, id } };
}

async function readSubject(
  { subject, includesCurrent }: MatchingPlan,
  database: MatchingSources['database'],
): Promise<SubjectRow | undefined> {
  if (subject === undefined) return undefined;
  const [row] = await database.rows<SubjectRow>(compileSubject(subject, includesCurrent));
  if (row === undefined) throw notFound();
  return row;
}

async function rankLive(
  plan: MatchingPlan,
  record: SubjectRow | undefined,
  ranker: Ranker,
  database: MatchingSources['database'],
): Promise<{ readonly hits: readonly RankedHit[]; readonly rows: readonly ReferenceRow[] }> {
  const type = plan.subject?.type === 'fund' ? 'startup' : 'fund';
  for (let wanted = plan.top + SPARE; ; wanted *= GROWTH) {
    const limit = Math.min(wanted, CANDIDATES_MAX);
    const request = requestOf(plan, record, limit);
    const hits = await ranker.rank({ ...request, excluded: record?.current ?? [] });
    if (hits === null) throw newerThanModel();
    const ids = hits.map(({ id }) => id);
    const rows = await database.rows<ReferenceRow>(compileReferences(type, ids, plan));
    if (rows.length < plan.top && hits.length === limit) {
      if (limit === CANDIDATES_MAX) throw outdatedModel();
      continue;
    }
    const returned = new Set(rows.map(({ id }) => id));
    return { hits: hits.filter(({ id }) => returned.has(id)), rows };
  }
}

/** A short list would look as if there were no others. */
function outdatedModel(): ApiError {
  const message =
    'Most of the best 1,000 candidates were deleted or closed since the last training; no credits ' +
    'were charged. The next training, at night, leaves them out.';
  return new ApiError('unavailable', message, { retryAfterSeconds: 3_600 });
}

function newerThanModel(): ApiError {
  const message =
    'The fund was added after the last training. The next one, at night, includes it.';
  return new ApiError('not_found', message, { parameter: 'fund' });
}

function requestOf(
  { subject, criteria }: MatchingPlan,
  record: SubjectRow | undefined,
  limit: number,
): RankRequest {
  const { nextStage = 0, current, ...live } = record ?? {};
  const expected = nextStage === 0 ? {} : { stage: nextStage };
  return {
    ...{ subject, excluded: [], limit },
    record: record === undefined ? undefined : { ...live, ...expected },
    criteria: { ...expected, ...criteria },
  };
}
