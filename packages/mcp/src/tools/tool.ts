import type { Schema } from '../schemas.ts';

/** Arguments that the schema of a tool has accepted. */
export type Arguments = Readonly<Record<string, unknown>>;

/** A call of the data API. */
export interface Call {
  /** Such as `/startups/{id}`. */
  readonly path: string;
  /** Those of the path and of the query. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** The body of a POST call; absent for GET. */
  readonly body?: readonly object[];
}

/** The response to a call, as the client returns it. */
export interface Response {
  readonly data: unknown;
  /** Whether more records follow. */
  readonly hasNext: boolean;
  /** The position after which they start, if the response has one. */
  readonly cursor: string | null;
  readonly limit: number | null;
}

/** One tool: its description for the assistant, its call, and its answer. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Schema;
  readonly output: Schema;
  /** Its arguments by the parameters of the API that errors name, where the names differ. */
  readonly argumentNames?: Readonly<Record<string, string>>;
  /** The tool whose arguments a call is about, if it is another one. */
  readonly quoted?: (args: Arguments) => Tool | undefined;
  /**
   * The call of the data API; absent for a tool that the catalogue answers.
   *
   * @throws ArgumentError for arguments that do not fit together.
   */
  readonly call?: (args: Arguments) => Call;
  /** The answer, without credits. */
  readonly answer: (args: Arguments, response: Response) => Record<string, unknown>;
  /** How to continue after the records of the response, as members of the answer. */
  readonly next?: (args: Arguments, response: Response) => Record<string, unknown>;
  /** The member of the answer whose elements are the records; all of them are shown. */
  readonly recordsIn?: string;
  /**
   * The answer with at most `most` groups of each list, all of them whole, and how to go on; for a tool
   * whose answer is cut by leaving off groups, never by shortening what names them.
   */
  readonly firstOf?: (args: Arguments, response: Response, most: number) => Record<string, unknown>;
  /** Whether a call can cost credits. */
  readonly metered: boolean;
  /** Whether a call reads the web, and not the records alone. */
  readonly readsWeb?: boolean;
}
