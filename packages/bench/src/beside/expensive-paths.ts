const words = (count: number): string => Array.from({ length: count }, () => 'w').join(' or ');
const any = (count: number, term: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => term(index)).join(' or ');

const FILTERS = [
  `Keywords eq '${words(6_380)}'`,
  any(200, () => "Name like '%_N%z_%'"),
  `Keywords eq '${words(199)}'`,
  any(10, (index) => `Name like '%_${index}%z_%'`),
  any(190, (index) => `Name like '%tup ${index}%'`),
  any(190, (index) => `not (Website like '%tartup${index}1%')`),
];

/** Calls beyond the bounds, expensive calls within them, and expensive calls that are charged. */
export const EXPENSIVE_PATHS = [
  `/categories/city/${'xyz'.repeat(166)}/startups`,
  ...FILTERS.flatMap((filter) => [
    `/startups?$count=true&$filter=${encodeURIComponent(filter)}`,
    `/startups?$top=1&$orderby=Name&$skip=90000&$filter=${encodeURIComponent(filter)}`,
  ]),
  '/startups?$top=100&$skip=90000&$orderby=Name',
  '/startups?$count=true&$filter=Tag%20ne%20%27Fintech%27',
  '/startups/search?q=startup%20number%20widgets',
  '/categories/facets?entity=startups&country=France&dimensions=industry,city,founded_year',
];
