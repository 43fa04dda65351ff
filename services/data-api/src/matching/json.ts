import type { RankedHit, Reason } from './ranker.ts';
import { type HitType, reasonText } from './reason-text.ts';
import type { ReferenceRow } from './sql.ts';

/** The members of a hit that hold its company. */
export const HIT_MEMBERS: Readonly<Record<HitType, string>> = { fund: 'Fund', startup: 'Startup' };

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
