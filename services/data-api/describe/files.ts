import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A real response and its call, below {base_url}. */
export interface Example {
  readonly request: string;
  /** The body of a POST. */
  readonly sent?: unknown;
  readonly body: unknown;
}

/** The examples of an operation by name; `result` is always one of them. */
export type Examples = Readonly<Record<string, Example>>;

/** `docs/openapi`, from any folder of the repository. */
function folder(): string {
  let path = import.meta.dirname;
  while (!existsSync(join(path, 'docs/openapi'))) path = join(path, '..');
  return join(path, 'docs/openapi');
}

/** The description of the data API. */
export const DOCUMENT = join(folder(), 'data-api.json');
/** The tables of the tools for assistants. */
export const CATALOGUE = join(folder(), '../../packages/mcp/catalogue.json');
/** The examples that it contains, by operationId. */
export const EXAMPLES = join(folder(), 'examples/data-api.json');

export function readExamples(): Readonly<Record<string, Examples>> {
  return existsSync(EXAMPLES) ? JSON.parse(readFileSync(EXAMPLES, 'utf8')) : {};
}
