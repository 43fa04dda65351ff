const ROUND =
  'rowId startupId date year series stage amount originalAmount originalCurrency confirmed ' +
  'createdAt updatedAt';
const STARTUP =
  'rowId name website domain description location founded totalRaised tags countries regions ' +
  'cities lastFundingStage nextFundingStage lastFundingDate primarySource membersCount ' +
  'membersBucket operatingStatus exitStatuses roundsCount latestPostValuation ' +
  'averageRoundAmount createdAt updatedAt startupComputedByRowId { investorNames }';
const ROUNDS = `fundingRoundsByStartupId(orderBy: [DATE_DESC, ROW_ID_ASC],
  filter: { deletedAt: { isNull: true } }) { nodes { ${ROUND} } }`;
const listed = (more: string) => `filter: { deletedAt: { isNull: true },
  founded: { greaterThanOrEqualTo: $since }${more} }`;

/** The path of a GraphQL server for the path of a peer; empty if there is none. */
export function graphqlPath(peer: string): string {
  if (peer === '') return '';
  const url = new URL(peer, 'http://peer.example');
  const id = url.pathname.split('/')[2];
  if (id !== undefined) {
    const query = `query($id: UUID!) { startupByRowId(rowId: $id) { ${STARTUP} } }`;
    return written(query, { id });
  }
  const asked = Object.fromEntries(url.searchParams);
  const since = Number(asked.since);
  const [type, filter, values] =
    asked.city === undefined
      ? ['', listed(''), { since }]
      : [
          ', $city: [String]',
          listed(', cities: { contains: $city }'),
          { since, city: [asked.city] },
        ];
  if (asked.count !== undefined) {
    return written(`query($since: Int!${type}) { allStartups(${filter}) { totalCount } }`, values);
  }
  const [top, skip] = [Number(asked.top), Number(asked.skip ?? 0)];
  const query = `query($since: Int!, $top: Int!, $skip: Int!${type}) {
    allStartups(first: $top, offset: $skip, orderBy: [TOTAL_RAISED_DESC, ROW_ID_DESC], ${filter}) {
      nodes { ${STARTUP} ${asked.rounds === undefined ? '' : ROUNDS} } } }`;
  return written(query, { ...values, top, skip });
}

function written(query: string, variables: object): string {
  const document = query.replace(/\s+/g, ' ');
  const parts = { query: document, variables: JSON.stringify(variables) };
  return `/graphql?${new URLSearchParams(parts)}`;
}
