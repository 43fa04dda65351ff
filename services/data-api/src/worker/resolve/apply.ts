import type { EntityNumber } from '@vcds/resolution';
import { retryDeadlocks } from '@vcds/venture-model';
import type pg from 'pg';

type Database = Pick<pg.Pool, 'query'>;

/** Members of one transaction at most, unless one company has more. */
const MEMBERS_MAX = 200;

/** The companies of the statements that share one, by the id of the statement. */
export type CompanyOf = ReadonlyMap<string, string>;

/** The present companies of an entity. */
export async function presentCompanies(
  database: Database,
  entity: EntityNumber,
): Promise<CompanyOf> {
  const { rows } = await database.query<{ member: string; company: string }>(
    `SELECT member_id AS member, company_id AS company FROM venture.company_member
     WHERE entity = $1 ORDER BY member_id`,
    [entity],
  );
  return new Map(rows.map(({ member, company }) => [member, company]));
}

/**
 * Makes the wanted companies of the present ones, in transactions of whole components: a member never is without its
 * company in between. A member that has its company already is not written, so a
 * run that was stopped continues where it was.
 *
 * @returns how many members were in another company before.
 */
export async function applyCompanies(
  database: Database,
  entity: EntityNumber,
  { present, wanted }: { readonly present: CompanyOf; readonly wanted: CompanyOf },
  signal?: AbortSignal,
): Promise<number> {
  let moved = 0;
  let batch: string[] = [];
  const flush = async (): Promise<void> => {
    if (batch.length === 0) return;
    signal?.throwIfAborted();
    const companies = batch.map((id) => wanted.get(id) ?? id);
    const values = [entity, batch, companies];
    await retryDeadlocks(() =>
      database.query(
        'SELECT venture.cluster_companies($1::smallint, $2::uuid[], $3::uuid[])',
        values,
      ),
    );
    moved += batch.filter((id) => (wanted.get(id) ?? id) !== (present.get(id) ?? id)).length;
    batch = [];
  };
  for (const component of changedComponents(present, wanted)) {
    if (batch.length + component.length > MEMBERS_MAX) await flush();
    batch.push(...component);
  }
  await flush();
  return moved;
}

/** The statements that present and wanted companies connect, where they differ. */
function changedComponents(present: CompanyOf, wanted: CompanyOf): readonly (readonly string[])[] {
  const roots = new Map<string, string>();
  const rootOf = (id: string): string => {
    let root = id;
    for (let up = roots.get(root); up !== undefined; up = roots.get(root)) root = up;
    if (root !== id) roots.set(id, root);
    return root;
  };
  for (const companies of [present, wanted]) {
    for (const [member, company] of companies) {
      const [a, b] = [rootOf(member), rootOf(company)];
      const [low = a, high = b] = [a, b].sort();
      if (low !== high) roots.set(high, low);
    }
  }
  const members = new Map<string, string[]>();
  const changed = new Set<string>();
  for (const id of [...new Set([...present.keys(), ...wanted.keys()])].sort()) {
    const root = rootOf(id);
    const group = members.get(root);
    if (group === undefined) members.set(root, [id]);
    else group.push(id);
    if ((present.get(id) ?? id) !== (wanted.get(id) ?? id)) changed.add(root);
  }
  return [...changed].sort().map((root) => members.get(root) ?? []);
}
