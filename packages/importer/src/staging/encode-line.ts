import { exitStatuses, readInstant } from '@vcds/venture-model';
import { LineError, type NoteTaker } from '../errors/line-error.ts';
import { closedValue } from '../normalise/closed-lookup.ts';
import { cleanCountry, trimmedEnd } from '../normalise/text.ts';
import {
  type CompanyRef,
  EITHER_TYPES,
  type FieldRow,
  type InvestorRef,
  type ListedInvestor,
  type RecordType,
  type Ref,
} from '../records/kinds.ts';
import { recordId, relationId } from '../records/record-id.ts';
import type { Op } from '../schema/line-schemas.ts';
import type { ValidLine } from '../schema/line-validator.ts';
import { NULL_CELL, textCell, textsCell } from './cells.ts';
import { addressOf, assertPosted, cleanPage } from './encode-observation.ts';
import {
  addressesCells,
  type Encoding,
  encoders,
  givesAddresses,
  identifiersCell,
} from './encode-parts.ts';
import { type Layout, layout, OP_CODES, type Part } from './layout.ts';

/** A line ready to be staged. */
export interface StagedLine {
  readonly type: RecordType;
  /** A row of the type's staging table, in COPY's text format. */
  readonly row: string;
  /** Rows of the table of listed investors, each naming the line by `n`. */
  readonly listed: readonly string[];
}

/** The origin of a line. */
export interface LineContext {
  /** The number of the line in the import; unique. */
  readonly n: number;
  /** The line of the file. */
  readonly line: number;
  /** Location and original as JSON, for lines that may still be rejected. */
  readonly raw: () => string;
  readonly note: NoteTaker;
}

/**
 * Encodes a valid line as its staging row.
 * @throws LineError for a value that the schema cannot reject.
 */
export function encodeLine(line: ValidLine, context: LineContext): StagedLine {
  const shape = layout(line.type);
  const { fields } = line;
  const country = onlyCountry(fields.Countries);
  const encoding: Encoding = { note: context.note, country, spellings: [] };
  let given = 0;
  let cells = '';
  for (const part of shape.parts) {
    if (gives(part, line, fields)) given += part.bit;
    cells += `\t${cellsOf(part, line, fields, encoding)}`;
  }
  const { id, key } = identityOf(shape, line);
  const listed = listedRows(shape, line, context.n);
  const mayBeRejected = shape.refs.length > 0 || line.op === 'patch' || line.op === 'delete';
  const raw = mayBeRejected || fields.Currency ? textCell(context.raw()) : NULL_CELL;
  const moment = line.occurredAt ? (readInstant(line.occurredAt) ?? NULL_CELL) : NULL_CELL;
  assertPosted(line, moment);
  assertExit(line);
  const head = [context.n, context.line, context.n, 0, OP_CODES[line.op], id, moment];
  const texts = [textCell(line.source), textCell(key), given, textsCell(encoding.spellings), raw];
  return { type: line.type, row: `${[...head, ...texts].join('\t')}${cells}\n`, listed };
}

/** The country of a list that has only one. */
function onlyCountry(countries: unknown): string {
  if (!Array.isArray(countries)) return '';
  const names = new Set(countries.map((name) => cleanCountry(String(name), '', () => undefined)));
  const [only] = names;
  return names.size === 1 ? (only ?? '') : '';
}

function gives(part: Part, line: ValidLine, fields: Readonly<Record<string, unknown>>): boolean {
  if (line.op === 'delete') return false;
  if (part.row.kind === 'status') {
    return fields[part.field] !== undefined && isInferredPart(part) === isInferred(fields);
  }
  if (line.op !== 'patch') return true;
  if (part.row.kind === 'addresses') return givesAddresses(fields, part.field);
  return fields[part.field] !== undefined;
}

function cellsOf(
  part: Part,
  line: ValidLine,
  fields: Readonly<Record<string, unknown>>,
  encoding: Encoding,
): string {
  const { field, row } = part;
  const value = fields[field];
  const encode = encoders[row.kind];
  if (encode !== undefined) return encode(value, row, field, encoding);
  switch (row.kind) {
    case 'addresses':
      return addressesCells(line, field, encoding);
    case 'identifiers':
      return identifiersCell(value, fields.Website, field);
    case 'ref':
      return value === null || value === undefined ? NULL_CELL : idOf(row.to, value as Ref, line);
    case 'investor':
    case 'company': {
      const ref = value as InvestorRef | CompanyRef;
      return eitherId(row.kind, ref.type, idOf(ref.type, ref, line));
    }
    case 'page':
      return `${textCell(cleanPage(value, field, encoding.note))}\t${textCell(addressOf(line))}`;
    case 'investors':
      return textCell(listedText(value, line));
    case 'money':
      return moneyCells(value, fields.Currency, line.op);
    default:
      return statusCells(part, row, fields);
  }
}

/** A patch without a currency keeps the stored one. */
function moneyCells(value: unknown, currency: unknown, op: Op): string {
  if (typeof value !== 'number') return `${NULL_CELL}\t${NULL_CELL}`;
  const absent = op === 'patch' && currency === undefined ? NULL_CELL : 'USD';
  return `${decimal(value)}\t${typeof currency === 'string' ? currency : absent}`;
}

/** A number without an exponent. */
function decimal(value: number): string {
  const text = String(value);
  return text.includes('e') ? trimmedEnd(trimmedEnd(value.toFixed(20), /0/u), /\./u) : text;
}

function isInferredPart(part: Part): boolean {
  return part.staged[0]?.name === 'status_inferred';
}

function isInferred(fields: Readonly<Record<string, unknown>>): boolean {
  return fields.OperatingStatusSource === 'inferred';
}

/** An inferred status has its own column and can only be ProbablyClosed. */
function statusCells(part: Part, row: FieldRow, fields: Readonly<Record<string, unknown>>): string {
  const inferred = isInferred(fields);
  const status = closedValue(row.closed ?? [], fields[part.field]);
  if (inferred && status === 'Closed') {
    throw new LineError(
      part.field,
      'Closed cannot be inferred; set OperatingStatusSource to owner or editor',
    );
  }
  const cell = status === undefined ? NULL_CELL : String(status);
  if (isInferredPart(part)) return inferred ? cell : NULL_CELL;
  if (inferred || status === undefined) return `${NULL_CELL}\t${NULL_CELL}`;
  return `${cell}\t${fields.OperatingStatusSource === 'owner' ? 'owner' : 'editor'}`;
}

const EXIT_FIELDS = ['ExitDate', 'Acquirer'];

/** @throws LineError for the date or the acquirer of a holding that the line does not end. */
function assertExit({ type, op, fields }: ValidLine): void {
  if (type !== 'holding' || op === 'delete') return;
  const field = EXIT_FIELDS.find((name) => (fields[name] ?? null) !== null);
  if (field === undefined) return;
  const status = closedValue(exitStatuses, fields.Status) ?? 'Held';
  if (status !== 'Held') return;
  throw new LineError(field, `${field} needs a Status of Exited or Acquired on the same line`);
}

function identityOf(shape: Layout, line: ValidLine): { id: string; key: string } {
  if (shape.keyed) {
    const key = line.key ?? '';
    return { id: recordId(line.type, line.source, key), key };
  }
  const identity = shape.parts
    .filter(({ row }) => row.identity === true)
    .map(({ field, row }) => {
      const value = line.fields[field];
      if (row.kind === 'page') return addressOf(line);
      return row.kind === 'closed' ? String(value) : idOf(row.to, value as Ref, line);
    });
  const id = relationId(line.type, ...identity);
  return { id, key: line.key ?? id };
}

type RefOf = Ref & { readonly type?: RecordType };
type Referrer = Pick<ValidLine, 'type' | 'source'>;

function idOf(type: RecordType | undefined, ref: RefOf, line: Referrer): string {
  if ('Id' in ref) return ref.Id.toLowerCase();
  return recordId(type ?? ref.type ?? line.type, ref.source ?? line.source, ref.key);
}

/** The Ids of the records that a field of a line refers to. */
export function referredIds(
  row: FieldRow,
  value: unknown,
  line: Referrer,
): readonly { readonly type: RecordType; readonly id: string }[] {
  const refs = (Array.isArray(value) ? value : [value]).filter(
    (each): each is RefOf => typeof each === 'object' && each !== null,
  );
  return refs.map((ref) => {
    const type = row.to ?? ref.type ?? line.type;
    return { type, id: idOf(type, ref, line) };
  });
}

/** The cells of the two columns of a field that refers to one of two types. */
function eitherId(kind: keyof typeof EITHER_TYPES, type: string, id: string): string {
  return type === EITHER_TYPES[kind][0] ? `${id}\t${NULL_CELL}` : `${NULL_CELL}\t${id}`;
}

function listedRows(shape: Layout, line: ValidLine, n: number): readonly string[] {
  const field = shape.parts.find(({ row }) => row.kind === 'investors')?.field;
  const value = field === undefined ? undefined : line.fields[field];
  if (!Array.isArray(value)) return [];
  return [...listedById(value, line)].map(
    ([id, { type, lead }]) => `${n}\t${eitherId('investor', type, id)}\t${lead ? 't' : 'f'}\n`,
  );
}

/** The list as one text, for the comparison of two lines. */
function listedText(value: unknown, line: ValidLine): string | null {
  if (!Array.isArray(value)) return null;
  const entries = [...listedById(value, line)].map(([id, { lead }]) => `${id}${lead ? '*' : ''}`);
  return entries.sort().join(' ');
}

function listedById(
  value: readonly ListedInvestor[],
  line: ValidLine,
): ReadonlyMap<string, { type: string; lead: boolean }> {
  const byId = new Map<string, { type: string; lead: boolean }>();
  for (const one of value) {
    const id = idOf(one.type, one, line);
    byId.set(id, { type: one.type, lead: one.Lead === true || byId.get(id)?.lead === true });
  }
  return byId;
}
