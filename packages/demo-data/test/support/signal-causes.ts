import type { ImportLine } from '@vcds/importer';

const ADDED: Readonly<Record<string, string>> = {
  startup: 'startup.added',
  fund: 'fund.added',
  round: 'round.recorded',
  valuation: 'valuation.recorded',
  fund_person: 'team.person_added',
  news: 'news.mention',
};
const CHANGED: Readonly<Record<string, string>> = {
  startup: 'startup.updated',
  fund: 'fund.updated',
  round: 'round.updated',
};
const HOLDINGS = ['portfolio.company_added', 'portfolio.exit_recorded'] as const;

/** The types of docs/spec/signals.md 9.5. */
export const SIGNAL_TYPES = [
  ...[ADDED, CHANGED].flatMap((types) => Object.values(types)),
  ...['investor.joined_round', ...HOLDINGS],
];

/** The types of signal that an effective line causes; a record is upserted again only if deleted. */
export function signalsOf(line: ImportLine): string[] {
  if (line.op === 'patch') return [CHANGED[line.type] ?? []].flat();
  if (line.op !== 'upsert') return [];
  if (line.type === 'holding') return [HOLDINGS[line.Status === 'Held' ? 0 : 1]];
  const investors =
    line.type === 'round' ? line.Investors : line.type === 'investor' ? [line.Investor] : [];
  const hasFund = investors?.some(({ type }) => type === 'fund') === true;
  return [ADDED[line.type] ?? [], hasFund ? 'investor.joined_round' : []].flat();
}
