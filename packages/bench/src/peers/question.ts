/** A request to peers; each writes it in its own language. */
export interface Question {
  /** One record. */
  readonly id?: string;
  /** Founded in this year or later, by TotalRaised, then by Id, both descending. */
  readonly since?: number;
  readonly city?: string;
  readonly top?: number;
  /** After this record. */
  readonly after?: { readonly raised: number; readonly id: string };
  /** With the rounds of each. */
  readonly rounds?: true;
  /** Only how many there are. */
  readonly count?: true;
  /** Startups of a year of foundation by stage, or of a country by year of foundation: `number` and `sum` of each group. */
  readonly groups?: 'stage' | 'founded';
  readonly year?: number;
  readonly country?: string;
}

/** Of a peer: the count, the records, or the groups. */
export type PeerAnswer = number | readonly Readonly<Record<string, unknown>>[];
