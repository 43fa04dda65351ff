/** The parameters of /venturematching (docs/spec/matching.md 19.1). */
import { BOUNDS, echo, isUuidForm } from '@vcds/odata-query';
import { ApiError } from '@vcds/service-kit/api-errors';
import type { WrittenNarrowing } from '../narrowing/query.ts';
import { readDollars } from '../serve/request/dollars.ts';
import { badParameter, type ParameterReader } from '../serve/request/parameter-reader.ts';
import type { IntegerParameter, Parameter, TextParameter } from '../serve/request/parameters.ts';
import { parseValueList } from '../serve/request/value-list.ts';

const ID_LENGTH_MAX = 100;
/** More tags of one company do not count. */
const TAGS_MAX = 12;

const STARTUP: TextParameter = {
  kind: 'text',
  name: 'startup',
  lengthMax: ID_LENGTH_MAX,
  description: 'The id of a startup: returns funds that may invest in it.',
};
const FUND: TextParameter = {
  kind: 'text',
  name: 'fund',
  lengthMax: ID_LENGTH_MAX,
  description: 'The id of a fund: returns startups in which it may invest.',
};
const TAGS: TextParameter = {
  kind: 'list',
  name: 'tags',
  lengthMax: 2_000,
  itemsMax: TAGS_MAX,
  description:
    'Industries of the company that seeks investors; values of the dimension `industry`. Replaces those of `startup`.',
  example: ['Fintech'],
};
const COUNTRY: TextParameter = {
  kind: 'list',
  name: 'country',
  lengthMax: 500,
  itemsMax: 1,
  description: 'The country of the company that seeks investors. Replaces that of `startup`.',
  example: ['Germany'],
};
const STAGE: TextParameter = {
  kind: 'list',
  name: 'stage',
  lengthMax: 500,
  itemsMax: 1,
  description:
    'The stage of the round. Default for `startup`: its expected next stage (`NextFundingStage`).',
  example: ['seed'],
};
const AMOUNT: TextParameter = {
  kind: 'dollars',
  name: 'amount',
  lengthMax: 20,
  description: 'The amount of the round in whole US dollars.',
  example: 2_000_000,
};
const INCLUDE: TextParameter = {
  kind: 'choice',
  name: 'include',
  lengthMax: ID_LENGTH_MAX,
  values: ['current'],
  description:
    '`current` also returns funds that have invested in the startup, or startups in which the fund has.',
};
const TOP: IntegerParameter = {
  kind: 'integer',
  name: 'top',
  ...{ min: 1, max: 100, default: 25 },
  description: 'The most hits to return.',
};

/** The criteria, each with the dimension of its values, if it has one. */
const CRITERIA = [
  { row: TAGS, dimension: 'industry' },
  { row: COUNTRY, dimension: 'country' },
  { row: STAGE, dimension: 'round_stage' },
] as const;

export const MATCHING_PARAMETERS: readonly Parameter[] = [
  ...[STARTUP, FUND, TAGS, COUNTRY, STAGE, AMOUNT],
  ...[INCLUDE, TOP],
];

export interface MatchingQuery {
  /** Without one, the criteria describe the company. */
  readonly subject: { readonly type: 'startup' | 'fund'; readonly id: string } | undefined;
  readonly criteria: readonly WrittenNarrowing[];
  readonly amountUsd: number | undefined;
  readonly includesCurrent: boolean;
  readonly top: number;
}

/**
 * Parses a search for investors or startups.
 *
 * @throws ApiError `bad_parameter` for parameters that do not fit together.
 */
export function parseMatchingQuery(reader: ParameterReader): MatchingQuery {
  const startup = readId(reader, STARTUP, '/startups/search?q={value}');
  const fund = readId(reader, FUND, '/funds/search?q={value}');
  const criteria = CRITERIA.flatMap(({ row, dimension }): WrittenNarrowing[] => {
    const values = readValues(reader, row);
    return values === undefined ? [] : [{ dimension, parameter: row.name, values }];
  });
  const amount = readDollars(reader, AMOUNT);
  const written = [...criteria.map(({ parameter }) => parameter)];
  if (amount !== undefined) written.push(AMOUNT.name);
  const includesCurrent = readInclude(reader);
  const top = reader.integer(TOP);
  if (startup !== undefined && fund !== undefined) {
    throw conflict('startup', fund, 'startup and fund cannot be combined: use one of them');
  }
  const [criterion] = written;
  if (fund !== undefined && criterion !== undefined) {
    const message = `fund cannot be combined with ${written.join(', ')}: these describe a company that seeks investors`;
    throw conflict(criterion, reader.text({ name: criterion, lengthMax: 2_000 }) ?? '', message);
  }
  if (startup === undefined && fund === undefined) {
    if (includesCurrent) {
      throw conflict('include', 'current', 'include=current requires startup or fund');
    }
    if (criterion === undefined) throw nothingGiven();
  }
  return {
    subject: subjectOf('startup', startup) ?? subjectOf('fund', fund),
    criteria,
    amountUsd: amount === undefined ? undefined : Number(amount),
    ...{ includesCurrent, top },
  };
}

function subjectOf(type: 'startup' | 'fund', id: string | undefined): MatchingQuery['subject'] {
  return id === undefined ? undefined : { type, id };
}

function readId(reader: ParameterReader, row: TextParameter, see: string): string | undefined {
  const text = reader.text(row);
  if (text === undefined || isUuidForm(text)) return text?.toLowerCase();
  const message = `'${echo(text)}' is not an id: ${row.name} requires the id of a ${row.name}.`;
  throw new ApiError('bad_parameter', message, { parameter: row.name, value: text, see });
}

function readValues(reader: ParameterReader, row: TextParameter): readonly string[] | undefined {
  const text = reader.text(row);
  if (text === undefined) return undefined;
  const values = parseValueList(row.name, text);
  const { itemsMax = BOUNDS.listValues } = row;
  if (values.length <= itemsMax) return values;
  const many = itemsMax === 1 ? 'one value' : `${itemsMax} values`;
  const message = `Parameter ${row.name} can have at most ${many}; this one has ${values.length}.`;
  throw badParameter(row.name, text, message);
}

function readInclude(reader: ParameterReader): boolean {
  const text = reader.text(INCLUDE);
  if (text === undefined || text === 'current') return text !== undefined;
  throw new ApiError('bad_parameter', 'Parameter include must be current.', {
    parameter: INCLUDE.name,
    value: text,
    allowed: ['current'],
  });
}

function conflict(parameter: string, value: string, message: string): ApiError {
  return badParameter(parameter, value, `Parameters do not fit together: ${message}.`);
}

function nothingGiven(): ApiError {
  return new ApiError(
    'bad_parameter',
    'Matching requires startup, fund, or at least one of tags, country, stage and amount.',
    { parameter: 'startup', allowed: ['startup', 'fund', 'tags', 'country', 'stage', 'amount'] },
  );
}
