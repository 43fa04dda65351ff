import type { ImportLine } from '@vcds/importer';

/** The types of docs/spec/signals.md 9.5. */
export const SIGNAL_TYPES = [
  'round.recorded',
  'round.updated',
  'investor.joined_round',
  'valuation.recorded',
  'portfolio.company_added',
  'portfolio.exit_recorded',
  'startup.added',
  'startup.updated',
  'fund.added',
  'fund.updated',
  'team.person_added',
  'news.mention',
] as const;

export type SignalType = (typeof SIGNAL_TYPES)[number];

/** The types of signal that an effective line causes; a record is upserted again only if deleted. */
export function signalsOf(line: ImportLine): SignalType[] {
  switch (line.type) {
    case 'startup':
      return line.op === 'upsert' ? ['startup.added'] : changed(line, 'startup.updated');
    case 'fund':
      return line.op === 'upsert' ? ['fund.added'] : changed(line, 'fund.updated');
    case 'round': {
      if (line.op !== 'upsert') return changed(line, 'round.updated');
      const hasFund = (line.Investors ?? []).some(({ type }) => type === 'fund');
      return ['round.recorded', ...(hasFund ? (['investor.joined_round'] as const) : [])];
    }
    case 'investor':
      if (line.op !== 'upsert' || line.Investor.type !== 'fund') return [];
      return ['investor.joined_round'];
    case 'valuation':
      return line.op === 'upsert' ? ['valuation.recorded'] : [];
    case 'holding':
      if (line.op !== 'upsert') return [];
      return [line.Status === 'Held' ? 'portfolio.company_added' : 'portfolio.exit_recorded'];
    case 'fund_person':
      return line.op === 'upsert' ? ['team.person_added'] : [];
    case 'news':
      return line.op === 'upsert' ? ['news.mention'] : [];
    default:
      return [];
  }
}

const changed = (line: ImportLine, type: SignalType): SignalType[] =>
  line.op === 'patch' ? [type] : [];
