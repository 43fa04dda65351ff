import type { PeerAnswer, Question } from './question.ts';

const ROUND =
  'rowId startupId date year series stage amount originalAmount originalCurrency confirmed ' +
  'createdAt updatedAt';
const STARTUP =
  'rowId name website domain description location founded totalRaised tags countries regions ' +
  'cities lastFundingStage nextFundingStage lastFundingDate primarySource membersCount ' +
  'membersBucket operatingStatus exitStatuses roundsCount latestPostValuation ' +
  'averageRoundAmount createdAt updatedAt startupComputedByRowId { investorNames }';
const ROUNDS = `fundingRoundsByStartupId(orderBy: [DATE_DESC, ROW_ID_DESC],
  filter: { deletedAt: { isNull: true } }) { nodes { ${ROUND} } }`;

/** The path of the GraphQL service of PostGraphile. */
export function graphqlPath(question: Question): string {
  const { id, since, city, top, after, rounds, count } = question;
  if (question.groups !== undefined) return groupsPath(question);
  if (id !== undefined) {
    return written(`query($id: UUID!) { startupByRowId(rowId: $id) { ${STARTUP} } }`, { id });
  }
  const types = [
    '$since: Int!',
    ...(city === undefined ? [] : ['$city: [String]']),
    ...(after === undefined ? [] : ['$raised: BigInt!', '$id: UUID!']),
  ];
  const filter = `filter: { deletedAt: { isNull: true }, founded: { greaterThanOrEqualTo: $since }
    ${city === undefined ? '' : ', cities: { contains: $city }'}
    ${after === undefined ? '' : AFTER} }`;
  const values = {
    since,
    ...(city !== undefined && { city: [city] }),
    ...(after && { raised: String(after.raised), id: after.id }),
  };
  if (count) {
    return written(`query(${types}) { allStartups(${filter}) { totalCount } }`, values);
  }
  const query = `query(${types}, $top: Int!) {
    allStartups(first: $top, orderBy: [TOTAL_RAISED_DESC, ROW_ID_DESC], ${filter}) {
      nodes { ${STARTUP} ${rounds ? ROUNDS : ''} } } }`;
  return written(query, { ...values, top });
}

function groupsPath({ groups, year, country }: Question): string {
  const [type, condition, key] =
    groups === 'stage'
      ? ['Int', 'founded: { equalTo: $value }', 'LAST_FUNDING_STAGE']
      : ['String', 'countries: { contains: [$value] }', 'FOUNDED'];
  const query = `query($value: ${type}!) {
    allStartups(filter: { deletedAt: { isNull: true }, ${condition} }) {
      groupedAggregates(groupBy: [${key}]) { distinctCount { rowId } sum { totalRaised } } } }`;
  return written(query, { value: year ?? country });
}

const AFTER = `, totalRaised: { lessThanOrEqualTo: $raised }
  or: [{ totalRaised: { lessThan: $raised } }, { rowId: { lessThan: $id } }]`;

function written(query: string, variables: object): string {
  const document = query.replace(/\s+/g, ' ');
  const parts = { query: document, variables: JSON.stringify(variables) };
  return `/graphql?${new URLSearchParams(parts)}`;
}

/** The names of the product's fields where they are not the same in another case. */
const NAMES: Readonly<Record<string, string>> = {
  rowId: 'Id',
  tags: 'Tag',
  countries: 'Country',
  regions: 'Region',
  cities: 'City',
  membersBucket: 'MembersCountBucket',
  exitStatuses: 'Status',
};

interface Nodes {
  readonly nodes: readonly Node[];
}

interface Node {
  readonly startupComputedByRowId?: { readonly investorNames: unknown } | null;
  readonly fundingRoundsByStartupId?: Nodes;
  readonly [name: string]: unknown;
}

/** @throws if the answer has errors. */
export function readGraphql(body: string): PeerAnswer {
  const { data, errors } = JSON.parse(body);
  if (errors !== undefined) throw new Error(JSON.stringify(errors));
  const groups = data.allStartups?.groupedAggregates;
  if (groups !== undefined) return groups.map(namedGroup);
  if (data.startupByRowId !== undefined) return [namedNode(data.startupByRowId)];
  return data.allStartups.totalCount ?? data.allStartups.nodes.map(namedNode);
}

interface Grouped {
  readonly distinctCount: { readonly rowId: string };
  readonly sum: { readonly totalRaised: string | null };
}

/** Numbers are texts in GraphQL, because they may be long. */
const namedGroup = ({ distinctCount, sum }: Grouped) => ({
  number: Number(distinctCount.rowId),
  sum: sum.totalRaised === null ? null : Number(sum.totalRaised),
});

function namedNode(node: Node): Readonly<Record<string, unknown>> {
  const { startupComputedByRowId, fundingRoundsByStartupId, ...fields } = node;
  const named = Object.entries(fields).map(([name, value]) => [
    NAMES[name] ?? `${name[0]?.toUpperCase()}${name.slice(1)}`,
    value,
  ]);
  return {
    ...Object.fromEntries(named),
    InvestorNames: startupComputedByRowId?.investorNames,
    ...(fundingRoundsByStartupId && {
      FundingRounds: fundingRoundsByStartupId.nodes.map(namedNode),
    }),
  };
}
