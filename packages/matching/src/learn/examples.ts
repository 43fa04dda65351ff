/** Groups of candidates of which some were chosen, with the features of each. */
export interface Examples {
  readonly features: number;
  /** Row-major: candidate c has `features` numbers from `c * features`. */
  readonly rows: Float32Array;
  /** Candidates of group g: from `groupStart[g]` up to `groupStart[g + 1]`. */
  readonly groupStart: Uint32Array;
  /** 1 for a chosen candidate. */
  readonly label: Uint8Array;
  /** How many candidates a row stands for: more than 1 for one drawn from many. */
  readonly weight: Float32Array;
  /** 1 for the groups of companies with earlier investors. */
  readonly isWarm: Uint8Array;
  /** 1 for the groups of queries by criteria. */
  readonly isByCriteria: Uint8Array;
}

/** The numbers of all groups. */
export function groupsOf({ isWarm }: Examples): number[] {
  return [...isWarm.keys()];
}

/** The candidates of groups. */
export function rowsOf({ groupStart }: Examples, groups: readonly number[]): Uint32Array {
  const rows: number[] = [];
  for (const g of groups) {
    for (let c = groupStart[g] as number; c < (groupStart[g + 1] as number); c++) rows.push(c);
  }
  return Uint32Array.from(rows);
}
