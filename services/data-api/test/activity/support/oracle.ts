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

/** An entry as plain SQL finds it. */
export interface Expected {
  readonly id: string;
  readonly type: string;
  readonly date: string;
  readonly subject: string;
}

/** The records of which signals are entries: type, subject, object and date, if it has a date. */
const RECORDS = `
  SELECT c.type, r.startup_id AS subject, r.id AS object, r.date
  FROM venture.funding_round r JOIN venture.startup s ON s.id = r.startup_id
  CROSS JOIN (VALUES (1), (2)) AS c(type)
  WHERE r.deleted_at IS NULL AND s.deleted_at IS NULL
  UNION ALL
  SELECT 3, f.id, r.id, r.date FROM venture.round_investor p
  JOIN venture.funding_round r ON r.id = p.round_id JOIN venture.startup s ON s.id = r.startup_id
  JOIN venture.fund f ON f.id = p.fund_id
  WHERE p.deleted_at IS NULL AND r.deleted_at IS NULL AND s.deleted_at IS NULL AND f.deleted_at IS NULL
  UNION ALL
  SELECT 4, v.startup_id, v.id, v.date
  FROM venture.post_valuation v JOIN venture.startup s ON s.id = v.startup_id
  WHERE v.deleted_at IS NULL AND s.deleted_at IS NULL
  UNION ALL
  SELECT c.type, f.id, s.id, NULL FROM venture.holding h JOIN venture.fund f ON f.id = h.fund_id
  JOIN venture.startup s ON s.id = h.startup_id CROSS JOIN (VALUES (5), (6)) AS c(type)
  WHERE h.deleted_at IS NULL AND f.deleted_at IS NULL AND s.deleted_at IS NULL
    AND (c.type = 5 OR h.status <> 'Held')
  UNION ALL
  SELECT c.type, s.id, NULL, NULL FROM venture.startup s CROSS JOIN (VALUES (7), (8)) AS c(type)
  WHERE s.deleted_at IS NULL
  UNION ALL
  SELECT c.type, f.id, NULL, NULL FROM venture.fund f CROSS JOIN (VALUES (9), (10)) AS c(type)
  WHERE f.deleted_at IS NULL
  UNION ALL
  SELECT 11, f.id, q.id, NULL FROM venture.fund_person m JOIN venture.fund f ON f.id = m.fund_id
  JOIN venture.person q ON q.id = m.person_id
  WHERE m.deleted_at IS NULL AND f.deleted_at IS NULL AND q.deleted_at IS NULL
  UNION ALL
  SELECT 12, c.id, n.id, n.date FROM venture.news n CROSS JOIN LATERAL (
    SELECT s.id FROM venture.startup s WHERE s.id = n.startup_id AND s.deleted_at IS NULL
    UNION ALL SELECT f.id FROM venture.fund f WHERE f.id = n.fund_id AND f.deleted_at IS NULL) c
  WHERE n.deleted_at IS NULL`;

const ORACLE = `
  SELECT id, name AS type, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS date, subject
  FROM (
    SELECT DISTINCT ON (r.type, r.subject, r.object, at) g.*, r.subject, t.name, at
    FROM (${RECORDS}) r
    JOIN venture.signal g ON g.type = r.type AND g.subject_id = r.subject
      AND g.object_id IS NOT DISTINCT FROM r.object
    JOIN venture.signal_type t ON t.code = r.type
    CROSS JOIN LATERAL (SELECT coalesce(r.date::timestamp AT TIME ZONE 'UTC',
      CASE WHEN g.dated THEN g.occurred_at END) AS at) d
    WHERE at IS NOT NULL
    ORDER BY r.type, r.subject, r.object, at, g.detected_at DESC) e
  ORDER BY at DESC, detected_at DESC`;

/** All entries in the order of the feed, found by scanning every record. */
export async function expectedEntries(sql: TestApi['sql']): Promise<Expected[]> {
  return (await sql.query<Expected>(ORACLE)).rows;
}

/** The comparable part of an entry. */
export const shortOf = ({ Id, Type, Date: date, Subject }: Entry): Expected => ({
  ...{ id: Id, type: Type, date, subject: Subject.Id },
});

/** All pages from a call on: each further one by the `Link` header of the one before. */
export async function followLinks(
  api: TestApi,
  query: Readonly<Record<string, string>>,
  between: (count: number) => Promise<void> | void = () => undefined,
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
    await between((reply.body as Entry[]).length);
  }
  return entries;
}
