/** Derived facts by the text of docs/spec/resources.md 4.18, independent of the database's functions. */

export interface ValuationFacts {
  readonly id: string;
  readonly startup: string;
  readonly date: string | null;
  readonly amount: number | null;
  readonly estimated: boolean;
  readonly round: {
    readonly startup: string;
    readonly stage: number | null;
    readonly amount: number | null;
    readonly deleted: boolean;
  } | null;
  readonly stored: readonly (number | null)[];
}

export interface PersonFacts {
  readonly role: string | null;
  readonly posts: readonly { readonly title: string | null; readonly deleted: boolean }[];
  readonly founded: number | null;
}

export const FACTS = `SELECT (
    SELECT coalesce(json_agg(json_build_object('id', v.id, 'startup', v.startup_id, 'date', v.date,
      'amount', v.amount, 'estimated', v.estimated, 'round', (
        SELECT json_build_object('startup', r.startup_id, 'stage', r.stage, 'amount', r.amount,
          'deleted', r.deleted_at IS NOT NULL) FROM venture.funding_round r WHERE r.id = v.round_id),
      'stored', json_build_array(v.round_stage, v.round_amount, v.previous_stage, v.step_up))), '[]')
    FROM venture.post_valuation v WHERE v.deleted_at IS NULL) AS valuations, (
    SELECT json_agg(json_build_object('role', p.role, 'founded', p.founded_count, 'posts', (
      SELECT coalesce(json_agg(json_build_object('title', j.title,
        'deleted', j.deleted_at IS NOT NULL OR s.deleted_at IS NOT NULL)), '[]')
      FROM venture.startup_person j JOIN venture.startup s ON s.id = j.startup_id
      WHERE j.person_id = p.id))) FROM venture.person p) AS persons`;

const only = <T>(values: readonly (T | null)[]): T | null => {
  const known = new Set(values.filter((value) => value !== null));
  return known.size === 1 ? ([...known][0] ?? null) : null;
};

const ofRound = ({ round, startup }: ValuationFacts) =>
  round === null || round.deleted || round.startup !== startup ? null : round;

/** The facts of a valuation among all that are not deleted, by the text of the specification. */
export function factsOf(
  valuation: ValuationFacts,
  all: readonly ValuationFacts[],
): readonly (number | null)[] {
  const { startup, date, amount } = valuation;
  const round = ofRound(valuation);
  const own = [round?.stage ?? null, round?.amount ?? null];
  if (date === null || amount === null) return [...own, null, null];
  const earlier = all.filter(
    (other) =>
      other.startup === startup &&
      other.amount !== null &&
      other.date !== null &&
      other.date < date,
  );
  const day = earlier
    .map((other) => other.date ?? '')
    .sort()
    .at(-1);
  const then = earlier.filter((other) => other.date === day);
  const reported = then.filter(({ estimated }) => !estimated);
  const before = reported.length > 0 ? reported : then;
  const previous = only(before.map((other) => other.amount));
  const step = previous === null || previous === 0 ? null : amount / previous;
  return [
    ...own,
    only(before.map((other) => ofRound(other)?.stage ?? null)),
    step === null ? null : Math.round(step * 10_000) / 10_000,
  ];
}

export function foundedBy({ role, posts }: PersonFacts): number | null {
  const titles = posts.filter(({ deleted }) => !deleted).map(({ title }) => title);
  const founded = titles.filter((title) => title === 'Co-Founder & CEO').length;
  if (founded > 0) return founded;
  const isNone = titles.length > 0 && !titles.includes(null) && (role ?? 'investor') === 'investor';
  return isNone ? 0 : null;
}
