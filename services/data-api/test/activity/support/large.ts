interface PlanNode {
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** The rows that the nodes of a plan returned and removed: of all, and of the largest one. */
export function rowsRead(node: PlanNode): { readonly sum: number; readonly largest: number } {
  const own = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
  const parts = (node.Plans ?? []).map(rowsRead);
  return {
    sum: own + parts.reduce((sum, part) => sum + part.sum, 0),
    largest: Math.max(own, ...parts.map((part) => part.largest)),
  };
}

/** 4,000 records of every type, written without triggers for speed; half of the newest records are in no entry. */
export const LARGE_SEED = `
  SET session_replication_role = replica;
  INSERT INTO venture.startup (id, name, event_date)
    SELECT md5('s' || i)::uuid, 'S' || i, date '2010-01-01' + i FROM generate_series(1, 4000) i;
  INSERT INTO venture.fund (id, name, event_date)
    SELECT md5('f' || i)::uuid, 'F' || i, date '2010-01-01' + i FROM generate_series(1, 4000) i;
  INSERT INTO venture.person (id, name)
    SELECT md5('p' || i)::uuid, 'P' || i FROM generate_series(1, 4000) i;
  INSERT INTO venture.funding_round (id, startup_id, event_date, confirmed)
    SELECT md5('r' || i)::uuid, md5('s' || i)::uuid, date '2010-01-01' + i, i < 2000
    FROM generate_series(1, 4000) i;
  INSERT INTO venture.round_investor (round_id, fund_id)
    SELECT md5('r' || i)::uuid, md5('f' || i)::uuid FROM generate_series(1, 4000) i;
  INSERT INTO venture.post_valuation (startup_id, event_date, deleted_at)
    SELECT md5('s' || i)::uuid, date '2010-01-01' + i, CASE WHEN i > 2000 THEN now() END
    FROM generate_series(1, 4000) i;
  INSERT INTO venture.holding (fund_id, startup_id, event_date, exit_date, rounds_count)
    SELECT md5('f' || i)::uuid, md5('s' || i)::uuid, date '2010-01-01' + i, date '2010-01-01' + i,
      i / 2000 FROM generate_series(1, 4000) i;
  INSERT INTO venture.fund_person (fund_id, person_id, event_date)
    SELECT md5('f' || i)::uuid, md5('p' || i)::uuid, date '2010-01-01' + i
    FROM generate_series(1, 4000) i;
  INSERT INTO venture.news (title, startup_id, event_date)
    SELECT 'N' || i, CASE WHEN i < 2000 THEN md5('s' || i)::uuid END, date '2010-01-01' + i
    FROM generate_series(1, 4000) i;
  SET session_replication_role = DEFAULT`;
