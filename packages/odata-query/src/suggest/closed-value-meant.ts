import { type ClosedValue, closedValueOf, spellingsOf } from '../field-spec.ts';
import { namesMeant } from './names-meant.ts';
import { nearest } from './nearest.ts';

/** The label of the closed value that a text is a spelling, a synonym or a mistyping of. */
export function closedValueMeant(text: string, list: readonly ClosedValue[]): string | undefined {
  const [label] = namesMeant(
    text,
    list.map(({ label: name, slug, name: member, synonyms = [] }) => ({
      name,
      synonyms: [slug, member, ...synonyms],
    })),
  );
  if (label !== undefined) return label;
  const spelling = nearest(
    text,
    list.flatMap((entry) => spellingsOf(entry).slice(1, 3)),
  );
  return spelling === undefined ? undefined : closedValueOf(list, spelling)?.label;
}
