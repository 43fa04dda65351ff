/** Suggests a parameter for an unknown one. */
import { echo, namesMeant, nearest, QueryError, valueMeant, withHint } from '@vcds/odata-query';
import { ApiError, DATA_BASE_PATH, isKeyParameter } from '@vcds/service-kit/api-errors';
import {
  DIMENSION_IDS,
  DIMENSION_SYNONYMS,
  type DimensionId,
  dimensionById,
  looksLikeWebsite,
  PARAMETER_SYNONYMS,
} from '@vcds/venture-model';
import { isPlain } from './plain-text.ts';
import { type SuggestedResource, suggestCondition } from './suggest-condition.ts';

export type Parameters = ReadonlyMap<string, string>;

/** A call with an unknown parameter. */
export interface InvalidCall {
  /** Below {base_url}, as the table of endpoints has it: `/startups`. */
  readonly path: string;
  /** The parameters that the endpoint accepts. */
  readonly accepts: readonly string[];
  readonly resource: SuggestedResource | undefined;
  readonly parameters: Parameters;
  /** `YYYY-MM-DD`. */
  readonly today: string;
  /** Plans the call with other parameters; throws its error. */
  readonly plan: (parameters: Parameters) => void;
}

const VALUE_LENGTH_MAX = 200;
/** The most characters of all values of a call that is planned for a suggestion. */
const CALL_LENGTH_MAX = 2_000;
const SEARCHED: ReadonlySet<string> = new Set(['/startups', '/funds']);
/** The synonyms of `q` for a search by name; its other synonyms are names of fields. */
const SEARCH_WORDS = ['q', 'query', 'search', 'term', 's', '$search', 'searchterm', 'query_string'];
const WEBSITE_WORDS = ['website', ...PARAMETER_SYNONYMS.website];
const ENTITY_BY_PATH: Readonly<Record<string, string>> = {
  '/startups': 'startups',
  '/funds': 'funds',
  '/startups/fundingrounds': 'rounds',
};
/** The most replacements of a value by its suggestion. */
const ATTEMPTS = 3;

/**
 * The error for an unknown parameter. Its suggestion is one of: a name; `name=value`,
 * percent-decoded, which replaces the parameter and any other of that name; the path of another
 * endpoint, from the version segment on. With it the call is valid, apart from other errors it may
 * have.
 */
export function unknownParameter(name: string, call: InvalidCall): ApiError {
  const rest = messageOfRest(name, call);
  if (rest !== undefined) return unknown(name, call, rest, undefined);
  const value = call.parameters.get(name) ?? '';
  const isUsable = value.trim() !== '' && value.length <= VALUE_LENGTH_MAX && isPlain(value);
  const meant = isUsable && isShort(call) ? suggestionFor(name, call) : nameOf(name, call);
  // It may also contain the `$filter` of the call.
  const suggestion = meant !== undefined && isPlain(meant) ? meant : undefined;
  return unknown(name, call, withHint(`Unknown parameter ${echo(name)}.`, suggestion), suggestion);
}

function unknown(
  name: string,
  { accepts }: InvalidCall,
  message: string,
  suggestion: string | undefined,
): ApiError {
  const details = { parameter: name, allowed: accepts, suggestion };
  return new ApiError('unknown_parameter', message, details);
}

/** A name of a parameter, here or in another API. */
const NAME = /^[$@]?[\p{L}\d_][\p{L}\d_.:[\]-]*$/u;

/** The message for what a shell, an & in a value or a key leaves as a parameter. */
function messageOfRest(name: string, { parameters }: InvalidCall): string | undefined {
  const value = parameters.get(name) ?? '';
  if (isKeyParameter(name)) {
    return `Unknown parameter ${echo(name)}. The key is parameter token, or the header X-Api-Key.`;
  }
  if (name.trim() === '') {
    return 'A parameter has no name. In a shell, quote the URL with single quotes: it replaces $top otherwise.';
  }
  if (/^amp;/.test(name)) {
    return `Unknown parameter ${echo(name)}. Separate parameters by &, not by &amp;; send an & in a value as %26.`;
  }
  const isOpen = [...parameters.values()].some((each) => (each.split("'").length - 1) % 2 === 1);
  if (isOpen || !NAME.test(name) || (value === '' && name !== name.toLowerCase())) {
    return `Unknown parameter ${echo(name)}. If it is part of a value, send the & before it as %26.`;
  }
  return undefined;
}

// Suggestions plan a call several times. For a long one only the name is compared.
function isShort({ parameters }: InvalidCall): boolean {
  let length = 0;
  for (const value of parameters.values()) length += value.length;
  return length <= CALL_LENGTH_MAX;
}

function suggestionFor(name: string, call: InvalidCall): string | undefined {
  const value = call.parameters.get(name) ?? '';
  const search = searchInstead(name, value, call.path);
  if (search !== undefined) return search;
  const field = suggestCondition(name, value, call.resource, call.today);
  const filter = field && withFilter(field.condition, name, call);
  if (field?.isExact === true && filter !== undefined) return filter;
  return (
    asParameter(name, value, call) ??
    asPage(name, value, call) ??
    filter ??
    asCategory(name, value, call) ??
    mistyped(name, call)
  );
}

// The value may be invalid too; then the next response reports it.
function mistyped(name: string, { accepts, parameters }: InvalidCall): string | undefined {
  const near = nearest(name, accepts);
  return near === undefined || parameters.has(near) ? undefined : near;
}

function nameOf(name: string, { accepts }: InvalidCall): string | undefined {
  return namesMeant(name, knownNames(accepts))[0];
}

function knownNames(accepts: readonly string[]) {
  return accepts.map((name) => ({ name, synonyms: synonymsOf(name) }));
}

function synonymsOf(name: string): readonly string[] | undefined {
  if (isDimension(name)) return [dimensionById(name).filterField, ...DIMENSION_SYNONYMS[name]];
  return PARAMETER_SYNONYMS[name as keyof typeof PARAMETER_SYNONYMS];
}

function isDimension(name: string): name is DimensionId {
  return (DIMENSION_IDS as readonly string[]).includes(name);
}

// `/startups?q=stripe` and `/startups?website=stripe.com`.
function searchInstead(name: string, value: string, path: string): string | undefined {
  if (!SEARCHED.has(path)) return undefined;
  const lower = name.toLowerCase();
  const isSearch = SEARCH_WORDS.includes(lower);
  if (looksLikeWebsite(value) && (isSearch || WEBSITE_WORDS.includes(lower))) {
    return `${DATA_BASE_PATH}${path}/search?website=${value}`;
  }
  return isSearch ? `${DATA_BASE_PATH}${path}/search?q=${value}` : undefined;
}

function asParameter(name: string, value: string, call: InvalidCall): string | undefined {
  for (const target of namesMeant(name, knownNames(call.accepts))) {
    if (call.parameters.has(target)) continue;
    for (const written of [value, ...conversions(target, value)]) {
      const accepted = acceptedValue(target, written, without(call.parameters, name), call);
      if (accepted === value) return target;
      if (accepted !== undefined) return `${target}=${accepted}`;
    }
  }
  return undefined;
}

// Replaces the value by the suggestion of each error.
function acceptedValue(
  target: string,
  value: string,
  parameters: Parameters,
  { plan }: InvalidCall,
): string | undefined {
  let written = value;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const error = errorOf(() => plan(new Map([...parameters, [target, written]])));
    if (error === undefined || error.parameter !== target) return written;
    if (error.suggestion === undefined) return undefined;
    const invalid = String(error.value ?? error.field ?? written);
    const at = written.indexOf(invalid, error.position ?? 0);
    if (at < 0) return undefined;
    written = written.slice(0, at) + error.suggestion + written.slice(at + invalid.length);
  }
  return undefined;
}

function errorOf(action: () => void) {
  try {
    action();
    return undefined;
  } catch (error) {
    if (error instanceof QueryError) return error;
    if (error instanceof ApiError) return error.details;
    throw error;
  }
}

// `-Founded`, `founded:desc` and similar forms for `$orderby`.
function conversions(target: string, value: string): readonly string[] {
  if (target !== '$orderby') return [];
  return [
    value.replace(/(^|,)\s*-\s*([^,]+)/g, '$1$2 desc').replace(/(^|,)\s*\+/g, '$1'),
    value.replace(/[:.|_ ](asc|desc)(?:ending)?\b/gi, ' $1'),
  ];
}

function asPage(name: string, value: string, call: InvalidCall): string | undefined {
  if (!/^\$?(?:page|p|page_?(?:number|no|index)?)$/i.test(name)) return undefined;
  const [skip, top] = call.accepts.includes('$skip') ? ['$skip', '$top'] : ['skip', 'top'];
  const page = /^[1-9]\d{0,5}$/.test(value) ? Number(value) : 0;
  if (!call.accepts.includes(skip) || call.parameters.has(skip) || page === 0) return undefined;
  const size = call.parameters.get(top) ?? (top === '$top' ? '25' : '100');
  if (!/^[1-9]\d{0,5}$/.test(size)) return undefined;
  const offset = String((page - 1) * Number(size));
  const accepted = acceptedValue(skip, offset, without(call.parameters, name), call);
  return accepted === offset ? `${skip}=${offset}` : undefined;
}

function withFilter(condition: string, name: string, call: InvalidCall): string | undefined {
  if (!call.accepts.includes('$filter')) return undefined;
  const rest = without(call.parameters, name);
  const given = rest.get('$filter');
  const filter = given === undefined ? condition : `(${given}) and ${condition}`;
  const accepted = acceptedValue('$filter', filter, without(rest, '$filter'), call);
  return accepted === undefined ? undefined : `$filter=${accepted}`;
}

// For a dimension that is not a field of the collection: the category path narrows by it.
function asCategory(name: string, value: string, { path }: InvalidCall): string | undefined {
  const entity = ENTITY_BY_PATH[path];
  if (entity === undefined || /[/,"]/.test(value)) return undefined;
  const known = DIMENSION_IDS.map((id) => ({ name: id, synonyms: synonymsOf(id) }));
  for (const id of namesMeant(name, known)) {
    const { closed } = dimensionById(id as DimensionId);
    const label =
      closed === undefined
        ? value
        : valueMeant(value, {
            name: id,
            type: 'closed',
            closed,
            filterable: true,
            sortable: false,
          });
    // A comma separates values; a slug contains none.
    const sent = closed?.find((each) => each.label === label)?.slug ?? label;
    if (sent !== undefined) return `${DATA_BASE_PATH}/categories/${id}/${sent}/${entity}`;
  }
  return undefined;
}

function without(parameters: Parameters, name: string): Parameters {
  return new Map([...parameters].filter(([each]) => each !== name));
}
