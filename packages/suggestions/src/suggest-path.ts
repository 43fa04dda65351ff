/** Suggests a path for an unknown one: names of other systems, forms of OData, other hosts. */
import { isUuidForm, namesMeant, singularName } from '@vcds/odata-query';
import { DATA_BASE_PATH, nearestPath, seeUrl } from '@vcds/service-kit/api-errors';
import { dimensionOf, PATH_SYNONYMS, RELATION_SYNONYMS } from '@vcds/venture-model';
import { isPlain } from './plain-text.ts';
import type { SuggestedResource } from './suggest-condition.ts';

/** The existing paths. */
export interface KnownPaths {
  /** Below {base_url}, parameters as `:name`. */
  readonly paths: readonly {
    readonly path: string;
    readonly resource?: SuggestedResource | undefined;
    /** The parameters that it accepts. */
    readonly accepts?: readonly { readonly name: string }[] | undefined;
  }[];
  /** {auth_url}: the access API, which has other paths. */
  readonly authUrl?: string | undefined;
}

/** The endpoints of the access API, below {auth_url}. */
export const ACCESS_PATHS = ['/usage', '/auth/register', '/auth/verify', '/auth/status'] as const;
const LENGTH_MAX = 200;
/** `/startups('id')`, `/startups(id)` and `/startups(guid'id')`. */
const KEY_IN_PARENTHESES = /^([a-z]+)\((?:guid)?'?([^')]{1,64})'?\)$/i;
const WHOLE_COLLECTION = new Set(['list', 'all', 'index', 'query', 'filter']);
/** The paths that return no list, or none without arguments, beside those of a record. */
const NO_LISTS = new Set(['/companies/match', '/find', '/pricing', '/venturematching']);

/** The collection and filter for records that belong to a record. */
const BELOW_RECORD: Readonly<Record<string, (id: string) => string>> = {
  'startups/news': (id) => `/news?$filter=StartupId eq ${id}`,
  'funds/news': (id) => `/news?$filter=FundId eq ${id}`,
  'startups/signals': (id) => `/signals?subject=${id}`,
  'funds/signals': (id) => `/signals?subject=${id}`,
  'funds/fundingrounds': (id) => `/startups/fundingrounds?$filter=Investor eq ${id}`,
};

/**
 * The most similar path, with its query, percent-decoded; a full URL if it belongs to the access
 * API. An id in it is from the request. Undefined if no path is similar.
 */
export function suggestPath(path: string, known: KnownPaths): string | undefined {
  if (path.length > LENGTH_MAX || !isPlain(path)) return undefined;
  const segments = path.split('/').filter((segment) => segment !== '');
  const from = segments.slice(0, 2).findIndex((segment) => /^v\d+$/i.test(segment)) + 1;
  const below = segments.slice(from).filter((segment, i) => i > 0 || !/^v\d+$/i.test(segment));
  const [first = '', ...rest] = below;
  const [, collection, key] = KEY_IN_PARENTHESES.exec(first) ?? [];
  const parts = collection === undefined || key === undefined ? below : [collection, key, ...rest];
  const other = atOtherHost(below, known);
  if (other !== undefined) return other;
  const meant = ofCollection(parts, known) ?? ofRecord(parts, known) ?? renamed(parts, known);
  if (meant !== undefined && `${DATA_BASE_PATH}${meant}` !== path)
    return `${DATA_BASE_PATH}${meant}`;
  const near = nearestPath(
    path,
    known.paths.map((each) => `${DATA_BASE_PATH}${each.path}`),
  );
  return near !== undefined && isCallable(near, known) ? near : undefined;
}

// A path with a text that is not an id in place of an id is 404.
function isCallable(path: string, { paths }: KnownPaths): boolean {
  const below = path.slice(DATA_BASE_PATH.length);
  return paths.some(({ path: pattern }) => isServed(below, pattern, true));
}

function atOtherHost(below: readonly string[], { authUrl }: KnownPaths): string | undefined {
  if (authUrl === undefined) return undefined;
  const asked = `/${below.join('/')}`.toLowerCase();
  const found = ACCESS_PATHS.find((path) => path === asked || path === `/auth${asked}`);
  return found === undefined ? undefined : seeUrl(authUrl, found);
}

// `/startups/$count` and `/startups/list`.
function ofCollection(parts: readonly string[], known: KnownPaths): string | undefined {
  const last = parts.at(-1) ?? '';
  const path = renamed(parts.slice(0, -1), known);
  if (parts.length < 2 || path === undefined) return undefined;
  const { path: pattern = '', accepts = [] } =
    known.paths.find((each) => isServed(path, each.path)) ?? {};
  if (last === '$count' || last.toLowerCase() === 'count') {
    return accepts.some(({ name }) => name === '$count') ? `${path}?$count=true` : undefined;
  }
  const isList = !pattern.endsWith('/:id') && !NO_LISTS.has(pattern);
  return isList && WHOLE_COLLECTION.has(last.toLowerCase()) ? path : undefined;
}

// Below a record: other collections, and the relations of the record.
function ofRecord(parts: readonly string[], known: KnownPaths): string | undefined {
  const [collection = '', id = '', below] = parts;
  if (parts.length !== 3 || below === undefined || !isUuidForm(id)) return undefined;
  const record = renamed([collection, id], known);
  if (record === undefined) return undefined;
  const served = renamed(parts, known);
  if (served !== undefined) return served;
  const base = record.split('/')[1] ?? '';
  const names = ['news', 'signals', 'fundingrounds'].map((name) => ({
    name,
    synonyms: PATH_SYNONYMS[name === 'news' || name === 'signals' ? name : 'fundingrounds'],
  }));
  for (const name of namesMeant(below, names)) {
    const meant = BELOW_RECORD[`${base}/${name}`];
    if (meant !== undefined) return meant(id.toLowerCase());
  }
  const resource = known.paths.find(({ path }) => path === `/${base}/:id`)?.resource;
  const relations = [...(resource?.relations.keys() ?? [])].map((name) => ({
    name,
    synonyms: RELATION_SYNONYMS[name as keyof typeof RELATION_SYNONYMS],
  }));
  const [relation] = namesMeant(below, relations);
  return relation === undefined ? undefined : `${record}?$expand=${relation}`;
}

// An existing path after the replacement of synonyms. The combinations grow exponentially with the
// segments, so a path with more segments than any endpoint gets none.
function renamed(parts: readonly string[], { paths }: KnownPaths): string | undefined {
  if (!paths.some(({ path }) => path.split('/').length > parts.length)) return undefined;
  const choices = parts.map((part, index) =>
    isUuidForm(part) ? [part.toLowerCase()] : alternatives(part, index === 0),
  );
  const written = choices.reduce<readonly string[]>(
    (heads, choice) => heads.flatMap((head) => choice.map((part) => `${head}/${part}`)),
    [''],
  );
  return written.find((path) => paths.some((each) => isServed(path, each.path)));
}

function alternatives(part: string, isFirst: boolean): readonly string[] {
  const lower = part.toLowerCase();
  const singular = singularName(part);
  const targets = Object.entries(PATH_SYNONYMS).flatMap(([target, synonyms]) =>
    [...synonyms, target.split('/').at(-1) ?? ''].some((each) => singularName(each) === singular)
      ? [target]
      : [],
  );
  return [lower, ...targets.filter((target) => isFirst || !target.includes('/'))];
}

function isServed(path: string, pattern: string, takesAny = false): boolean {
  const [parts, wanted] = [path.split('/'), pattern.split('/')];
  return (
    parts.length === wanted.length &&
    wanted.every((part, i) => {
      const written = parts[i] ?? '';
      if (part === ':id') return isUuidForm(written);
      if (part === ':dimension' && dimensionOf(written) !== undefined) return true;
      return part.startsWith(':') ? takesAny : part === written;
    })
  );
}
