/** 1: a startup, 2: a fund; as in the tables of the database. */
export type EntityNumber = 1 | 2;

/** A round as a source states it. */
export interface StatedRound {
  /** `YYYY-MM`. */
  readonly month: string;
  readonly amount?: number | null;
}

/** A company as one source describes it: everything that the comparison reads. */
export interface Statement {
  /** Unique; clusters and pairs are in the order of these. */
  readonly id: string;
  readonly entity: EntityNumber;
  readonly source: string;
  readonly name: string;
  /** Former and other names. */
  readonly aliases?: readonly string[];
  readonly website?: string | null;
  /** Former sites. */
  readonly formerSites?: readonly string[];
  /** Whether the site was seen to be gone or parked: then another site is no contradiction. */
  readonly siteIsDead?: boolean;
  /** `scheme:value`, normalized. */
  readonly identifiers?: readonly string[];
  readonly countries?: readonly string[];
  readonly regions?: readonly string[];
  readonly cities?: readonly string[];
  /** Year. */
  readonly founded?: number | null;
  readonly totalRaised?: number | null;
  readonly tags?: readonly string[];
  readonly description?: string | null;
  readonly rounds?: readonly StatedRound[];
  /** Days of news, `YYYY-MM-DD`. */
  readonly newsDays?: readonly string[];
  /** Names of the investors of a startup, or of the companies that a fund holds. */
  readonly links?: readonly string[];
  /** Names of its people. */
  readonly people?: readonly string[];
}

/** The lists of a statement are cut to these lengths before they are read. */
export const LIST_MAX = {
  aliases: 10,
  identifiers: 20,
  places: 5,
  rounds: 40,
  newsDays: 20,
  links: 60,
  people: 20,
  tags: 12,
  descriptionLength: 2_000,
  nameLength: 300,
} as const;
