import type { CompanyOf } from './apply.ts';

export interface ResolutionCounts {
  readonly statements: number;
  /** Pairs of statements that were compared. */
  readonly compared: number;
  /** Statements that another statement shares its company with. */
  readonly merged: number;
  readonly review: number;
  /** Statements whose company is another one than before. */
  readonly moved: number;
}

/**
 * Statements that their sources have deleted stay in the company of those that were with them, so that the id of
 * the record is not another one for it.
 */
export function withDeleted(
  wanted: CompanyOf,
  present: CompanyOf,
  isLive: (id: string) => boolean,
): CompanyOf {
  const wantedMembers = membersOf(wanted);
  const joined = new Map(wanted);
  for (const members of membersOf(present).values()) {
    const deleted = members.filter((id) => !isLive(id));
    if (deleted.length === 0) continue;
    const live = members.find(isLive);
    const company = live === undefined ? undefined : (wanted.get(live) ?? live);
    const together = live === undefined ? members : (wantedMembers.get(company ?? live) ?? [live]);
    const all = [...new Set([...deleted, ...together])];
    const least = [...all].sort()[0] ?? '';
    for (const id of all) joined.set(id, least);
  }
  return joined;
}

function membersOf(companyOf: CompanyOf): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const [member, company] of companyOf) {
    const group = groups.get(company);
    if (group === undefined) groups.set(company, [member]);
    else group.push(member);
  }
  return groups;
}
