import { members, nested, type Table, texts } from '../tables/csv.ts';
import type { MatchingPlan } from './plan.ts';
import type { RankedHit, Reason } from './ranker.ts';
import { type HitType, reasonText } from './reason-text.ts';
import type { ReferenceRow } from './sql.ts';

/** The members of a hit that hold its company. */
export const HIT_MEMBERS: Readonly<Record<HitType, string>> = { fund: 'Fund', startup: 'Startup' };

/** The hits as a table, whatever they are: the investors of a company, or companies for a fund. */
export function matchesTable({ subject }: Pick<MatchingPlan, 'subject'>): Table {
  const type: HitType = subject?.type === 'fund' ? 'startup' : 'fund';
  return {
    columns: [
      ...nested(HIT_MEMBERS[type], members('Id', 'Name', 'Website', 'Country')),
      ...members('Score'),
      texts('Reasons', 'Text'),
    ],
  };
}

/**
 * The hits as the text of a JSON array.
 *
 * @param names of the funds that reasons name; a reason about a deleted fund is left out.
 */
export function matchesBody(
  type: HitType,
  hits: readonly (RankedHit & { readonly reasons: readonly Reason[] })[],
  rows: readonly ReferenceRow[],
  names: ReadonlyMap<string, string>,
): string {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return JSON.stringify(
    hits.flatMap(({ id, score, reasons }) => {
      const row = byId.get(id);
      if (row === undefined) return [];
      const shown = reasons.flatMap(({ factor, weight, fact, partnerId }) => {
        const partner = partnerId === undefined ? '' : names.get(partnerId);
        if (partner === undefined) return [];
        return [{ Factor: factor, Weight: weight, Text: reasonText(fact, type, () => partner) }];
      });
      const { name, website, countries } = row;
      const company = { Id: id, Name: name, Website: website, Country: countries };
      return [{ [HIT_MEMBERS[type]]: company, Score: score, Reasons: shown }];
    }),
  );
}
