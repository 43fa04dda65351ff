/** The entities that have dimensions: startups, funds and rounds, and their relations. */

export type EntityId = 'startups' | 'funds' | 'rounds';

/** A collection that has dimensions. */
export interface Entity {
  readonly id: EntityId;
  /** In `venture.facet_count` and `venture.facet_change`. */
  readonly number: 1 | 2 | 3;
  /** The table of its records. */
  readonly table: string;
  /** The condition that a listed record meets. */
  readonly listed: (row: string) => string;
  /** The table of the facet codes of its records. */
  readonly facetTable: string;
}

export type RelationId =
  | 'startups.investors'
  | 'startups.rounds'
  | 'funds.portfolio'
  | 'funds.rounds'
  | 'rounds.startup'
  | 'rounds.investors';

/** A relation from a record to others, through which it has their dimensions. */
export interface EntityRelation {
  /** Unique: the entity, and what the related records are to it. */
  readonly id: RelationId;
  readonly to: EntityId;
  /** Whether there may be several. */
  readonly many: boolean;
  /**
   * `FROM … WHERE …` from the row under an alias to the live related rows, which have the alias
   * `related`; a row that links the two has the alias `link`.
   */
  readonly from: (row: string) => string;
}

const isNotDeleted = (row: string) => `${row}.deleted_at IS NULL`;

/** The condition that a listed round or valuation meets: nor is its startup deleted. */
export const isListedOfStartup = (row: string): string =>
  `${row}.deleted_at IS NULL AND NOT ${row}.startup_deleted`;

/** From a fund to the companies it holds; the link is the holding. */
export const PORTFOLIO: EntityRelation = Object.freeze({
  id: 'funds.portfolio',
  to: 'startups',
  many: true,
  from: (row: string) => `FROM venture.holding AS link
    JOIN venture.startup AS related
      ON related.id = link.startup_id AND related.deleted_at IS NULL
    WHERE link.fund_id = ${row}.id AND link.deleted_at IS NULL`,
});

/** In place of a dimension's code in `venture.facet_count`: the number of all live records. */
export const TOTAL = 0;

export const ENTITIES: Readonly<Record<EntityId, Entity>> = Object.freeze({
  __proto__: null,
  startups: entity('startups', 1, 'startup', 'startup', isNotDeleted),
  funds: entity('funds', 2, 'fund', 'fund', isNotDeleted),
  rounds: entity('rounds', 3, 'funding_round', 'round', isListedOfStartup),
} as const);

/** In the order in which they are listed. */
export const ENTITY_IDS = Object.freeze(Object.keys(ENTITIES) as EntityId[]);

/**
 * The relations through which a record has a dimension that its entity does not have, in order of
 * precedence (docs/spec/categories.md 8.7): a round through its startup or any of its investors, a
 * startup through its investors or rounds, a fund through its portfolio or rounds.
 */
export const RELATIONS: Readonly<Record<EntityId, readonly EntityRelation[]>> = Object.freeze({
  __proto__: null,
  startups: [
    {
      id: 'startups.investors',
      to: 'funds',
      many: true,
      from: (row) => `FROM venture.holding AS link
        JOIN venture.fund AS related ON related.id = link.fund_id AND related.deleted_at IS NULL
        WHERE link.startup_id = ${row}.id AND link.deleted_at IS NULL`,
    },
    {
      id: 'startups.rounds',
      to: 'rounds',
      many: true,
      from: (row) => `FROM venture.funding_round AS related
        WHERE related.startup_id = ${row}.id AND ${isListedOfStartup('related')}`,
    },
  ],
  funds: [
    PORTFOLIO,
    {
      id: 'funds.rounds',
      to: 'rounds',
      many: true,
      from: (row) => `FROM venture.round_investor AS link
        JOIN venture.funding_round AS related
          ON related.id = link.round_id AND ${isListedOfStartup('related')}
        WHERE link.investor_id = ${row}.id AND link.deleted_at IS NULL`,
    },
  ],
  rounds: [
    {
      id: 'rounds.startup',
      to: 'startups',
      many: false,
      from: (row) => `FROM venture.startup AS related
        WHERE related.id = ${row}.startup_id AND related.deleted_at IS NULL`,
    },
    {
      id: 'rounds.investors',
      to: 'funds',
      many: true,
      // By the column that has an index; it may also be the id of a person.
      from: (row) => `FROM venture.round_investor AS link
        JOIN venture.fund AS related ON related.id = link.investor_id
          AND link.fund_id IS NOT NULL AND related.deleted_at IS NULL
        WHERE link.round_id = ${row}.id AND link.deleted_at IS NULL`,
    },
  ],
} satisfies { __proto__: null } & Record<EntityId, readonly EntityRelation[]>);

/** The entity with a name, or undefined. */
export function entityOf(name: string): Entity | undefined {
  return Object.hasOwn(ENTITIES, name) ? ENTITIES[name as EntityId] : undefined;
}

function entity(
  id: EntityId,
  number: Entity['number'],
  table: string,
  facets: string,
  listed: Entity['listed'],
): Entity {
  return Object.freeze({
    id,
    number,
    table: `venture.${table}`,
    listed,
    facetTable: `venture.${facets}_facet`,
  });
}
