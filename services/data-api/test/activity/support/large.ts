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

/** 4,000 startups with signals of every type, of which those about the newer half are no entries. */
export const LARGE_SEED = `
  SET session_replication_role = replica;
  INSERT INTO venture.startup (id, name, deleted_at)
    SELECT md5('s' || i)::uuid, 'S' || i, CASE WHEN i > 3900 THEN now() END
    FROM generate_series(1, 4000) i;
  INSERT INTO venture.signal (detected_at, position, id, type, subject_type, subject_id, occurred_at)
    SELECT timestamptz '2026-01-01' + (i * 12 + type) * interval '1 ms', i * 12 + type,
      gen_random_uuid(), type, 1, md5('s' || i)::uuid, date '2010-01-01' + i
    FROM generate_series(1, 4000) i CROSS JOIN generate_series(1, 12) type;
  SET session_replication_role = DEFAULT`;
