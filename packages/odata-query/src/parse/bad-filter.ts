import { echo } from '../echo.ts';
import type { Token } from '../lexer/token.ts';
import { QueryError } from '../query-error.ts';

/** A `bad_filter` at a token, which it repeats as the offending value. */
export function badFilter(token: Token, message: string, suggestion?: string): QueryError {
  return new QueryError('bad_filter', message, {
    parameter: '$filter',
    position: token.start,
    value: token.kind === 'end' ? undefined : echo(token.text),
    suggestion,
  });
}

/** A token as a sentence names it. */
export function shown(token: Token): string {
  if (token.kind === 'end') return 'the end of the filter';
  if (token.kind === 'string') return `the text '${echo(token.text)}'`;
  return echo(token.text);
}
