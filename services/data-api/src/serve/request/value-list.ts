import { BOUNDS } from '@vcds/odata-query';
import { badParameter } from './parameter-reader.ts';

/** The most characters of one value. */
export const VALUE_LENGTH_MAX = 500;

/** A value in double quotes, which are doubled inside, or any text without a comma. */
const ITEM = /(?:\s*"((?:[^"]|"")*)"\s*|([^,]*))(,|$)/y;

/**
 * Parses comma-separated values (docs/spec/categories.md 8.5). A value that contains a comma is in
 * double quotes, as in CSV. White space around a value is ignored.
 *
 * @returns at least one value and at most 500, none of them empty or above 500 characters.
 * @throws ApiError `bad_parameter` for an empty or too long value, an unclosed quote or too many values.
 */
export function parseValueList(parameter: string, text: string): readonly string[] {
  const values: string[] = [];
  let position = 0;
  for (let more = true; more; ) {
    ITEM.lastIndex = position;
    const [item, quoted, bare = '', end] = ITEM.exec(text) ?? [];
    if (item === undefined || (quoted === undefined && bare.trimStart().startsWith('"'))) {
      throw badParameter(parameter, text, unclosed(parameter));
    }
    const value = quoted === undefined ? trimmed(bare) : quoted.replaceAll('""', '"');
    if (value === '') {
      throw badParameter(parameter, text, `Parameter ${parameter} contains an empty value.`);
    }
    if (value.length > VALUE_LENGTH_MAX)
      throw badParameter(parameter, value, tooLong(parameter, value));
    values.push(value);
    position += item.length;
    more = end === ',';
  }
  if (values.length > BOUNDS.listValues) {
    throw badParameter(
      parameter,
      text,
      `Parameter ${parameter} can have at most ${BOUNDS.listValues} values; this one has ${values.length}.`,
    );
  }
  return values;
}

// Two blanks at the end are the `++` of `C++`, sent without percent-encoding: the value is another one.
function trimmed(text: string): string {
  const value = text.trim();
  return value !== '' && text.endsWith('  ') ? text.trimStart() : value;
}

function tooLong(parameter: string, { length }: string): string {
  return (
    `A value of parameter ${parameter} can have at most ${VALUE_LENGTH_MAX} characters; this one ` +
    `has ${length}.`
  );
}

function unclosed(parameter: string): string {
  return (
    `Parameter ${parameter} has an unclosed quote. Put a value with a comma in double quotes, ` +
    'and double a quote inside them.'
  );
}
