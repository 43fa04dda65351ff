/** The change feed: all signals, in the order in which they were detected. */
import type { SignalExpand } from './query.ts';
import type { Feed } from './scan.ts';
import { type ObjectType, SIGNAL_TYPES } from './signal-types.ts';

/** The name of an object: its own, or derived from the name of its startup. */
const OBJECT_NAMES: Readonly<Record<ObjectType, string>> = {
  round: `SELECT concat_ws(' ', s.name, venture.round_label(r.series, r.stage))
    FROM venture.funding_round r JOIN venture.startup s ON s.id = r.startup_id
    WHERE r.id = h.object_id`,
  valuation: `SELECT concat_ws(' ', s.name, 'valuation', v.year)
    FROM venture.post_valuation v JOIN venture.startup s ON s.id = v.startup_id
    WHERE v.id = h.object_id`,
  startup: 'SELECT s.name FROM venture.startup s WHERE s.id = h.object_id',
  person: 'SELECT q.name FROM venture.person q WHERE q.id = h.object_id',
  news: 'SELECT n.title FROM venture.news n WHERE n.id = h.object_id',
};

const OBJECT_NAME = `CASE ${Object.entries(OBJECT_NAMES)
  .map(([type, sql]) => {
    const codes = SIGNAL_TYPES.filter(({ object }) => object === type).map(({ code }) => code);
    return `WHEN h.type IN (${codes.join(', ')}) THEN (${sql})`;
  })
  .join(' ')} END`;

const SUBJECT_JOINS = `
  LEFT JOIN venture.startup hs ON h.subject_type = 1 AND hs.id = h.subject_id
  LEFT JOIN venture.fund hf ON h.subject_type = 2 AND hf.id = h.subject_id`;

/** @param expands the names that its rows have. */
export function signalsFeed(expands: readonly SignalExpand[]): Feed {
  const columns = [
    'h.position::text AS position',
    'h.object_id AS "objectId"',
    'h.amount, h.label',
  ];
  const hasSubject = expands.includes('subject');
  if (hasSubject) {
    columns.push('coalesce(hs.name, hf.name) AS "subjectName"');
    columns.push('coalesce(hs.domain, hf.domain) AS "subjectDomain"');
  }
  if (expands.includes('object')) columns.push(`${OBJECT_NAME} AS "objectName"`);
  return {
    columns: ['detected_at'],
    isIndexed: true,
    ...{ only: undefined, typeCast: '', isEntry: undefined },
    recordsMax: 'fallbackRecordsMax',
    rows: { columns, joins: hasSubject ? SUBJECT_JOINS : '' },
  };
}
