/** The parameter that was meant by one that is unknown. */
import { echo, namesMeant, nearest, QueryError, valueMeant, withHint } from '@vcds/odata-query';
import { ApiError, DATA_BASE_PATH } from '@vcds/service-kit/api-errors';
import {
  DIMENSION_IDS,
  DIMENSION_SYNONYMS,
  type DimensionId,
  dimensionById,
  looksLikeWebsite,
} from '@vcds/venture-model';
import type { Resource } from '../resources/index.ts';
import { PARAMETER_SYNONYMS } from './name-synonyms.ts';
import { conditionMeant } from './repair-condition.ts';

export type Parameters = ReadonlyMap<string, string>;

/** A call with an unknown parameter. */
export interface AskedCall {
  /** Below {base_url}, as the table of endpoints has it: `/startups`. */
  readonly path: string;
  /** The parameters the endpoint reads. */
  readonly accepts: readonly string[];
  readonly resource: Resource | undefined;
  readonly parameters: Parameters;
  /** `YYYY-MM-DD`. */
  readonly today: string;
  /** Throws what is wrong with a call of the same endpoint with other parameters. */
  readonly plan: (parameters: Parameters) => void;
}

const VALUE_LENGTH_MAX = 200;
/** Characters of all values of a call that is planned for a suggestion. */
const CALL_LENGTH_MAX = 2_000;
const SEARCHED: ReadonlySet<string> = new Set(['/startups', '/funds']);
/** Words for a search by name; the others that `q` is called are names of fields. */
const SEARCH_WORDS = ['q', 'query', 'search', 'term', 's', '$search', 'searchterm', 'query_string'];
const WEBSITE_WORDS = ['website', ...PARAMETER_SYNONYMS.website];
const ENTITY_BY_PATH: Readonly<Record<string, string>> = {
  '/startups': 'startups',
  '/funds': 'funds',
  '/startups/fundingrounds': 'rounds',
};
/** Replacements of one value by its suggestion before a call is given up. */
const ATTEMPTS = 3;

/**
 * The refusal of an unknown parameter. The suggestion is a name in place of the name; or
 * `name=value`, percent-decoded, in place of the parameter and of any other of that name; or the
 * path of another endpoint, from {base_url}'s version on. The call with it can be answered, but
 * for other faults it may have.
 */
export function unknownParameter(name: string, call: AskedCall): ApiError {
  const value = call.parameters.get(name) ?? '';
  const isPlanned = value.trim() !== '' && value.length <= VALUE_LENGTH_MAX && isShort(call);
  const suggestion = isPlanned ? meant(name, call) : nameOf(name, call);
  return new ApiError(
    'unknown_parameter',
    withHint(`Unknown parameter ${echo(name)}.`, suggestion),
    {
      parameter: name,
      allowed: call.accepts,
      suggestion,
    },
  );
}

// Repairs plan a call several times: of a long one only the name is compared.
function isShort({ parameters }: AskedCall): boolean {
  let length = 0;
  for (const value of parameters.values()) length += value.length;
  return length <= CALL_LENGTH_MAX;
}

function meant(name: string, call: AskedCall): string | undefined {
  const value = call.parameters.get(name) ?? '';
  const search = searchInstead(name, value, call.path);
  if (search !== undefined) return search;
  const field = conditionMeant(name, value, call.resource, call.today);
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

// The value may have a fault of its own, which the next answer names.
function mistyped(name: string, { accepts, parameters }: AskedCall): string | undefined {
  const near = nearest(name, accepts);
  return near === undefined || parameters.has(near) ? undefined : near;
}

function nameOf(name: string, { accepts }: AskedCall): string | undefined {
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

function asParameter(name: string, value: string, call: AskedCall): string | undefined {
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

// Each refusal of the value that knows better is followed.
function acceptedValue(
  target: string,
  value: string,
  parameters: Parameters,
  { plan }: AskedCall,
): string | undefined {
  let written = value;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const fault = faultOf(() => plan(new Map([...parameters, [target, written]])));
    if (fault === undefined || fault.parameter !== target) return written;
    if (fault.suggestion === undefined) return undefined;
    const place = fault.value ?? fault.field ?? written;
    const at = written.indexOf(String(place), fault.position ?? 0);
    if (at < 0) return undefined;
    written = written.slice(0, at) + fault.suggestion + written.slice(at + String(place).length);
  }
  return undefined;
}

function faultOf(action: () => void) {
  try {
    action();
    return undefined;
  } catch (error) {
    if (error instanceof QueryError) return error;
    if (error instanceof ApiError) return error.details;
    throw error;
  }
}

// `-Founded`, `founded:desc` and the like for `$orderby`; `2 more` for nothing.
function conversions(target: string, value: string): readonly string[] {
  if (target !== '$orderby') return [];
  return [
    value.replace(/(^|,)\s*-\s*([^,]+)/g, '$1$2 desc').replace(/(^|,)\s*\+/g, '$1'),
    value.replace(/[:.|_ ](asc|desc)(?:ending)?\b/gi, ' $1'),
  ];
}

function asPage(name: string, value: string, call: AskedCall): string | undefined {
  if (!/^\$?(?:page|p|page_?(?:number|no|index)?)$/i.test(name)) return undefined;
  const [skip, top] = call.accepts.includes('$skip') ? ['$skip', '$top'] : ['skip', 'top'];
  const page = /^[1-9]\d{0,5}$/.test(value) ? Number(value) : 0;
  if (!call.accepts.includes(skip) || call.parameters.has(skip) || page === 0) return undefined;
  const size = Number(call.parameters.get(top) ?? (top === '$top' ? 25 : 100));
  const offset = String((page - 1) * size);
  const accepted = acceptedValue(skip, offset, without(call.parameters, name), call);
  return accepted === undefined ? undefined : `${skip}=${accepted}`;
}

function withFilter(condition: string, name: string, call: AskedCall): string | undefined {
  if (!call.accepts.includes('$filter')) return undefined;
  const rest = without(call.parameters, name);
  const given = rest.get('$filter');
  const filter = given === undefined ? condition : `(${given}) and ${condition}`;
  const accepted = acceptedValue('$filter', filter, without(rest, '$filter'), call);
  return accepted === undefined ? undefined : `$filter=${accepted}`;
}

// A dimension that is no field of the collection: the category path narrows by it.
function asCategory(name: string, value: string, { path }: AskedCall): string | undefined {
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
    // A comma separates values: the slug has none.
    const sent = closed?.find((each) => each.label === label)?.slug ?? label;
    if (sent !== undefined) return `${DATA_BASE_PATH}/categories/${id}/${sent}/${entity}`;
  }
  return undefined;
}

function without(parameters: Parameters, name: string): Parameters {
  return new Map([...parameters].filter(([each]) => each !== name));
}
