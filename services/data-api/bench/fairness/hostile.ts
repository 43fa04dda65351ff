/**
 * 40 clients of one free key that use as much of the database as they can; each calls again on every
 * response. Arguments: the root of the API, the key and the duration in seconds. Sends the number of
 * responses by status to its parent process.
 */
import { setPriority } from 'node:os';
import { playLoad } from '../metering/load.ts';

const CLIENTS = 40;
const [baseUrl = '', apiKey = '', seconds = '0'] = process.argv.slice(2);

const words = (count: number): string => Array.from({ length: count }, () => 'w').join(' or ');
const any = (count: number, term: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => term(index)).join(' or ');

/** Calls beyond the bounds, expensive calls within them, and expensive calls that are charged. */
const FILTERS = [
  `Keywords eq '${words(6_380)}'`,
  any(200, () => "Name like '%_N%z_%'"),
  `Keywords eq '${words(199)}'`,
  any(10, (index) => `Name like '%_${index}%z_%'`),
  any(190, (index) => `Name like '%tup ${index}%'`),
  any(190, (index) => `not (Website like '%tartup${index}1%')`),
];
const PATHS = [
  `/categories/city/${'x'.repeat(60_000)}/startups`,
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

// These clients represent other machines: they must not use the processor time of the servers.
setPriority(19);

const { statuses } = await playLoad(
  PATHS.map((path) => `${baseUrl}${path}`),
  [apiKey],
  { clients: CLIENTS, durationMs: Number(seconds) * 1_000, callsPerSecond: 0 },
);
process.send?.(Object.fromEntries(statuses));
