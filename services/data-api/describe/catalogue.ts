/**
 * The tables that the tools of packages/mcp are made of, from those that serve the requests:
 * collections with their fields and prices, dimensions, types of signal.
 */
import { rateFor } from '@vcds/metering';
import type { ClosedValue } from '@vcds/odata-query';
import { DIMENSIONS } from '@vcds/venture-model';
import { endpoints } from '../src/endpoints.ts';
import type { ResourceField } from '../src/resources/index.ts';
import { SIGNAL_TYPES } from '../src/signals/signal-types.ts';

/** The collections by the names that the tools give them. */
const PATHS: Readonly<Record<string, string>> = {
  startups: '/startups',
  funds: '/funds',
  rounds: '/startups/fundingrounds',
  valuations: '/startups/postvaluations',
  people: '/persons',
  news: '/news',
  portfolio: '/funds/{id}/portfolio',
  references: '/startups/{id}/references',
};

const QUARTERS = 4;

/** The text of `packages/mcp/catalogue.json`. */
export function catalogueText(): string {
  return `${JSON.stringify(catalogue(), undefined, 1)}\n`;
}

function catalogue(): object {
  return {
    collections: Object.fromEntries(
      Object.entries(PATHS).map(([name, path]) => [name, collection(path)]),
    ),
    dimensions: DIMENSIONS.map(
      ({ id, title, description, kind, entities, filterField, closed }) => ({
        ...{ id, title, description, kind, entities, filterField },
        ...(closed && { values: labels(closed) }),
      }),
    ),
    signals: SIGNAL_TYPES.map(({ name, subjects, object, carriesAmount, description }) => ({
      ...{ name, subjects, object, carriesAmount, description },
    })),
    activity: SIGNAL_TYPES.map(({ name }) => name),
    creditsPerSignal: rateFor('/signals').perRecordQuarters / QUARTERS,
  };
}

function collection(path: string): object {
  const served = endpoints.find((endpoint) => path === endpoint.rate.path);
  const { resource } = served ?? {};
  if (resource === undefined) throw new RangeError(`No endpoint serves records on ${path}.`);
  return {
    path,
    creditsPerRecord: rateFor(path).perRecordQuarters / QUARTERS,
    fields: Object.fromEntries(
      [...resource.fields.values()].map((each) => [each.name, field(each)]),
    ),
    relations: Object.fromEntries(
      [...resource.relations.values()].map(({ name, description }) => [name, description]),
    ),
  };
}

function field({ type, many, filterable, sortable, answer, closed }: ResourceField): object {
  const use = [filterable && 'filter', sortable && 'sort', answer !== undefined && 'show'];
  return {
    type: `${type}${many === true ? '[]' : ''}`,
    use: use.filter((each) => each !== false).join(' '),
    ...(closed && { values: labels(closed) }),
  };
}

/** From the value in a record to its label. */
function labels(values: readonly ClosedValue[]): Readonly<Record<string, string>> {
  return Object.fromEntries(values.map(({ value, label }) => [value, label]));
}
