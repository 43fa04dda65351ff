/** The types of signal (docs/spec/signals.md 9.5): one row defines one type. */

export type SubjectType = 'startup' | 'fund';
export type ObjectType = 'round' | 'valuation' | 'startup' | 'person' | 'news';

export interface SignalType {
  readonly name: string;
  /** In the database; permanent. */
  readonly code: number;
  readonly subjects: readonly SubjectType[];
  /** Null for types without an object. */
  readonly object: ObjectType | null;
  readonly carriesAmount: boolean;
  /** Whether a signal has the label of a series. */
  readonly carriesLabel: boolean;
  readonly description: string;
}

/** The codes of subject types in the database. */
export const SUBJECT_CODES: Readonly<Record<SubjectType, number>> = Object.freeze({
  __proto__: null,
  startup: 1,
  fund: 2,
} as const);

const STARTUP = ['startup'] as const;
const FUND = ['fund'] as const;
const PLAIN = { carriesAmount: false, carriesLabel: false } as const;
const OF_ROUND = { object: 'round', carriesAmount: true, carriesLabel: true } as const;

/** In the order of `GET /signals/types`. */
export const SIGNAL_TYPES: readonly SignalType[] = Object.freeze(
  [
    {
      name: 'round.recorded',
      code: 1,
      subjects: STARTUP,
      ...OF_ROUND,
      description:
        'A confirmed round was recorded. Its investors are often recorded later: see ' +
        'investor.joined_round.',
    },
    {
      name: 'round.updated',
      code: 2,
      subjects: STARTUP,
      ...OF_ROUND,
      description: 'A fact of a recorded round changed.',
    },
    {
      name: 'investor.joined_round',
      code: 3,
      subjects: FUND,
      ...OF_ROUND,
      description: 'An investor was added to a round, usually after the round was recorded.',
    },
    {
      name: 'valuation.recorded',
      code: 4,
      subjects: STARTUP,
      object: 'valuation',
      carriesAmount: true,
      carriesLabel: false,
      description: 'A post-money valuation was recorded or corrected. Few rounds have one.',
    },
    {
      name: 'portfolio.company_added',
      code: 5,
      subjects: FUND,
      object: 'startup',
      ...PLAIN,
      description: "A company was added to a fund's portfolio.",
    },
    {
      name: 'portfolio.exit_recorded',
      code: 6,
      subjects: FUND,
      object: 'startup',
      ...PLAIN,
      description: 'A holding was marked exited or acquired.',
    },
    {
      name: 'startup.added',
      code: 7,
      subjects: STARTUP,
      object: null,
      ...PLAIN,
      description: 'A startup was added to the database, or restored after a delete.',
    },
    {
      name: 'startup.updated',
      code: 8,
      subjects: STARTUP,
      object: null,
      ...PLAIN,
      description: 'The profile of a startup changed. The signal does not say which field.',
    },
    {
      name: 'fund.added',
      code: 9,
      subjects: FUND,
      object: null,
      ...PLAIN,
      description: 'A fund was added to the database, or restored after a delete.',
    },
    {
      name: 'fund.updated',
      code: 10,
      subjects: FUND,
      object: null,
      ...PLAIN,
      description: 'The profile of a fund changed. The signal does not say which field.',
    },
    {
      name: 'team.person_added',
      code: 11,
      subjects: FUND,
      object: 'person',
      ...PLAIN,
      description: "A person joined a fund's team.",
    },
    {
      name: 'news.mention',
      code: 12,
      subjects: ['startup', 'fund'],
      object: 'news',
      ...PLAIN,
      description: 'A news item was linked to a startup or fund.',
    },
  ].map((type) => Object.freeze({ ...type, subjects: Object.freeze(type.subjects) }) as SignalType),
);

const BY_NAME: ReadonlyMap<string, SignalType> = new Map(
  SIGNAL_TYPES.map((type) => [type.name, type]),
);

const BY_CODE: ReadonlyMap<number, SignalType> = new Map(
  SIGNAL_TYPES.map((type) => [type.code, type]),
);

/** @throws RangeError for a code that the database does not have. */
export function signalTypeCoded(code: number): SignalType {
  const type = BY_CODE.get(code);
  if (type === undefined) throw new RangeError(`Unknown signal type ${code}.`);
  return type;
}

/** The type with this name, or undefined. */
export function signalTypeOf(name: string): SignalType | undefined {
  return BY_NAME.get(name);
}

/**
 * The body of `GET /signals/types` (docs/spec/signals.md 9.5). `subjects` are the types that
 * `subject.type` of a signal can have; `subject` is the only one of them, or null.
 */
export function signalTypesDocument() {
  return {
    clock: {
      orderedBy: 'detectedAt',
      note:
        'The feed is ordered and paged by detectedAt, when this database recorded the change. ' +
        'occurredAt is the market date: filter by it and display it, but do not page by it.',
    },
    amount: {
      currency: 'USD',
      note: 'Whole US dollars. Null if undisclosed, absent from types without an amount.',
    },
    types: SIGNAL_TYPES.map(({ name, subjects, object, carriesAmount, description }) => ({
      type: name,
      subject: subjects.length === 1 ? subjects[0] : null,
      subjects,
      object,
      carriesAmount,
      description,
    })),
  };
}
