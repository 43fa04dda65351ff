/** The operator's command that changes the spelling of a tag, group, region or city. */
import { canonicalCountry } from '@vcds/venture-model';
import type pg from 'pg';
import { inTransaction } from '../apply/transaction.ts';
import { ImportError } from '../errors/import-error.ts';
import { visible } from '../errors/quote.ts';
import { cleanSpelling, SPELLING_MAX } from '../normalise/text.ts';
import { type Relabelled, relabelTerms } from './relabel.ts';

/** Terms with a spelling to choose; a country has the name of ISO 3166. */
export const CHOOSABLE_KINDS = ['tag', 'group', 'region', 'city'] as const;

/** A spelling that an operator chose. */
export interface ChosenSpelling {
  readonly kind: (typeof CHOOSABLE_KINDS)[number];
  readonly spelling: string;
  /** Of a region or city: the country of its records; by default those without one. */
  readonly country: string | undefined;
}

const LABELS_LISTED_MAX = 10;

/**
 * Makes a spelling the label of its term and rewrites the records; the former label is still
 * understood. The choice is journaled in `venture.spelling_choice`.
 *
 * @returns what was rewritten, empty if the spelling already is the label.
 * @throws ImportError if no record has the term in any spelling.
 */
export async function chooseSpelling(
  client: pg.ClientBase,
  chosen: ChosenSpelling,
): Promise<readonly Relabelled[]> {
  await inTransaction(client, () => mark(client, chosen));
  return relabelTerms(client);
}

async function mark(client: pg.ClientBase, { kind, spelling, country }: ChosenSpelling) {
  const label = cleanSpelling(spelling, kind, () => undefined);
  if (label === null || [...label].length > SPELLING_MAX) {
    throw new ImportError('file', `A ${kind} has 1 to ${SPELLING_MAX} characters.`);
  }
  const place = country === undefined ? '' : (canonicalCountry(country) ?? country);
  const { rows } = await client.query<{ country: string; folded: string; label: string }>(
    `SELECT country, folded, label FROM venture.term
     WHERE kind = $1 AND folded = venture.term_fold($1, $2) AND country = venture.fold($3)
     FOR UPDATE`,
    [kind, label, place],
  );
  const [term] = rows;
  if (term === undefined) throw await unknownTerm(client, kind, label, place);
  if (term.label === label) return;
  const key = [kind, term.country, term.folded];
  await client.query(
    `UPDATE venture.term SET next_label = $4 WHERE kind = $1 AND country = $2 AND folded = $3`,
    [...key, label],
  );
  await client.query(
    `INSERT INTO venture.term_spelling (kind, country, folded, spelling) VALUES ($1, $2, $3, $4)
     ON CONFLICT DO NOTHING`,
    [...key, term.label],
  );
  await client.query(
    `INSERT INTO venture.spelling_choice (kind, country, folded, former, chosen)
     VALUES ($1, $2, $3, $4, $5)`,
    [...key, term.label, label],
  );
}

async function unknownTerm(
  client: pg.ClientBase,
  kind: string,
  label: string,
  place: string,
): Promise<ImportError> {
  const { rows } = await client.query<{ label: string; country: string }>(
    `SELECT label, country FROM venture.term WHERE kind = $1 AND folded = venture.term_fold($1, $2)
     ORDER BY country LIMIT ${LABELS_LISTED_MAX}`,
    [kind, label],
  );
  const where = place === '' ? '' : ` in ${visible(place)}`;
  const known = rows.map(({ country }) => country || 'without a country').join(', ');
  const advice =
    known === '' ? '' : ` It is known in: ${visible(known)}; state one of them after the spelling.`;
  const what = `No record has the ${kind} "${visible(label)}" in any spelling${where}.`;
  return new ImportError('file', `${what}${advice}`);
}
