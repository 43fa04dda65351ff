import { createHash } from 'node:crypto';
import type { TestApi } from '../../support/api.ts';

export interface Entry {
  readonly Id: string;
  readonly Date: string;
  readonly Type: string;
  readonly Title: string;
  readonly Subject: { readonly Type: string; readonly Id: string; readonly Name: string };
  readonly Amount: number | null;
  readonly Url: string | null;
}

/** An entry as plain SQL over the records finds it. */
export interface Expected {
  readonly id: string;
  readonly type: string;
  readonly date: string;
  readonly subject: string;
  readonly amount: number | null;
  /** The companies it is about. */
  readonly about: readonly string[];
}

const ORACLE = `
  SELECT type, concat_ws('/', type, k1, k2) AS name, day::text AS date, subject, amount::float8,
    array_remove(about, NULL) AS about
  FROM (
    SELECT 1 AS code, 'round.recorded' AS type, r.id AS k1, NULL::uuid AS k2, r.event_date AS day,
      s.id AS subject, r.amount, ARRAY[s.id] || ARRAY(SELECT p.fund_id FROM venture.round_investor p
        WHERE p.round_id = r.id AND p.deleted_at IS NULL) AS about
    FROM venture.funding_round r JOIN venture.startup s ON s.id = r.startup_id
    WHERE r.confirmed AND r.deleted_at IS NULL AND s.deleted_at IS NULL
    UNION ALL
    SELECT 4, 'valuation.recorded', v.id, NULL, v.event_date, s.id, v.amount, ARRAY[s.id]
    FROM venture.post_valuation v JOIN venture.startup s ON s.id = v.startup_id
    WHERE v.deleted_at IS NULL AND s.deleted_at IS NULL
    UNION ALL
    SELECT c.code, c.type, f.id, s.id, c.day, f.id, NULL, ARRAY[f.id, s.id]
    FROM venture.holding h JOIN venture.fund f ON f.id = h.fund_id
    JOIN venture.startup s ON s.id = h.startup_id
    CROSS JOIN LATERAL (VALUES
      (5, 'portfolio.company_added', h.event_date), (6, 'portfolio.exit_recorded', h.exit_date)
    ) AS c(code, type, day)
    WHERE h.deleted_at IS NULL AND f.deleted_at IS NULL AND s.deleted_at IS NULL
      AND (c.code = 6 OR NOT EXISTS (
        SELECT FROM venture.funding_round r JOIN venture.round_investor p ON p.round_id = r.id
        WHERE r.startup_id = s.id AND p.fund_id = f.id
          AND r.deleted_at IS NULL AND p.deleted_at IS NULL))
    UNION ALL
    SELECT 7, 'startup.added', id, NULL, event_date, id, NULL, ARRAY[id]
    FROM venture.startup WHERE deleted_at IS NULL
    UNION ALL
    SELECT 9, 'fund.added', id, NULL, event_date, id, NULL, ARRAY[id]
    FROM venture.fund WHERE deleted_at IS NULL
    UNION ALL
    SELECT 11, 'team.person_added', f.id, q.id, m.event_date, f.id, NULL, ARRAY[f.id]
    FROM venture.fund_person m JOIN venture.fund f ON f.id = m.fund_id
    JOIN venture.person q ON q.id = m.person_id
    WHERE m.deleted_at IS NULL AND f.deleted_at IS NULL AND q.deleted_at IS NULL
    UNION ALL
    SELECT 12, 'news.mention', n.id, NULL, n.event_date, coalesce(s.id, f.id), NULL,
      ARRAY[s.id, f.id]
    FROM venture.news n
    LEFT JOIN venture.startup s ON s.id = n.startup_id AND s.deleted_at IS NULL
    LEFT JOIN venture.fund f ON f.id = n.fund_id AND f.deleted_at IS NULL
    WHERE n.deleted_at IS NULL AND coalesce(s.id, f.id) IS NOT NULL
  ) entry
  WHERE day IS NOT NULL
  ORDER BY day DESC, code, k1 DESC, k2 DESC`;

/** All entries in the order of the feed, found by scanning every record. */
export async function expectedEntries(sql: TestApi['sql']): Promise<Expected[]> {
  const { rows } = await sql.query<Expected & { name: string }>(ORACLE);
  return rows.map(({ name, ...row }) => ({ ...row, id: idOf(name) }));
}

/** The comparable part of an entry. */
export const shortOf = ({ Id, Type, Date: date, Subject, Amount }: Entry) => ({
  ...{ id: Id, type: Type, date, subject: Subject.Id, amount: Amount },
});
export const shortOfExpected = ({ about: _, ...entry }: Expected) => entry;

/** Ids are permanent: the UUIDv5 of the type and the record. */
function idOf(name: string): string {
  const namespace = Buffer.from('0f6d3c1b58e25c478a0f93d17b6e24ca', 'hex');
  const hash = createHash('sha1').update(namespace).update(name).digest().subarray(0, 16);
  hash.writeUInt8((hash.readUInt8(6) & 0x0f) | 0x50, 6);
  hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8);
  return hash.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** All pages from a call on: each further one by the `Link` header of the one before. */
export async function followLinks(
  api: TestApi,
  query: Readonly<Record<string, string>>,
  between: () => Promise<void> = async () => undefined,
): Promise<Entry[]> {
  const entries: Entry[] = [];
  let path: string | undefined = `/activityfeed?${new URLSearchParams(query)}`;
  while (path !== undefined) {
    const reply = await api.get(path);
    if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${reply.text}`);
    entries.push(...(reply.body as Entry[]));
    const link = /^<http:\/\/data\.example\/v2(.*)>; rel="next"$/.exec(
      String(reply.headers.link ?? ''),
    );
    path = link?.[1];
    await between();
  }
  return entries;
}
