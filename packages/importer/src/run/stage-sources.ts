import type pg from 'pg';
import type { StagedFile } from '../checks/keys.ts';
import { ImportError } from '../errors/import-error.ts';
import { LineFault, type Note } from '../errors/line-fault.ts';
import { recordTables } from '../records/index.ts';
import type { RecordType } from '../records/kinds.ts';
import { recordId } from '../records/record-id.ts';
import type { Rejection } from '../report/rejections.ts';
import type { Respellings } from '../report/respellings.ts';
import type { SideFile } from '../report/side-file.ts';
import type { Tally } from '../report/tally.ts';
import { validateLine } from '../schema/line-validator.ts';
import type { Place, SourceItem } from '../sources/source-item.ts';
import { encodeLine } from '../staging/encode-line.ts';
import { layout } from '../staging/layout.ts';
import type { StageTables } from '../staging/stage-tables.ts';
import { Stager } from '../staging/stager.ts';
import type { OpenSource } from './open-source.ts';

/** The files a source's rejected and repaired lines go to. */
export interface SideFiles {
  /** The source, as reports name it. */
  readonly name: string;
  readonly rejected: SideFile;
  readonly repaired: SideFile;
  readonly respelled: Respellings;
  /** Lines or rows read from the source. */
  read: number;
  /** The line of the one read last. */
  readLast: number;
  /** The line or row rejected last. */
  rejectedLast: number;
}

/** Adds to the rejected lines; a row of which several are stands there with the first alone. */
export function addRejection(side: SideFiles, rejection: Rejection): void {
  const isShown = side.rejectedLast === rejection.line;
  side.rejectedLast = rejection.line;
  side.rejected.add(isShown ? { ...rejection, original: undefined } : rejection);
}

/** What is read, and where it goes. */
export interface Staging {
  readonly options: { readonly allowEmpty?: boolean; readonly signal?: AbortSignal };
  readonly client: pg.Client;
  readonly tables: StageTables;
  readonly sources: readonly OpenSource[];
  readonly sides: readonly SideFiles[];
  readonly tally: Tally;
}

/**
 * Reads every source once, checks each line by itself and stages those that pass.
 *
 * @returns the numbers that the lines of each source were staged under.
 * @throws ImportError for a file that cannot be read, or that holds nothing and must not.
 */
export async function stageSources(
  staging: Staging,
  onProgress: (lines: number) => void,
): Promise<readonly StagedFile[]> {
  const { client, tables, sources, sides, tally } = staging;
  const { allowEmpty = false, signal } = staging.options;
  const stager = new Stager(client, tables);
  const files: StagedFile[] = [];
  let n = 0;
  for (const [file, source] of sources.entries()) {
    const first = n + 1;
    const side = sides[file];
    if (side === undefined) continue;
    for await (const items of source.items(file)) {
      for (const item of items) {
        if (side.readLast !== item.place.line) side.read += 1;
        side.readLast = item.place.line;
        if (item.kind === 'skipped') {
          tally.skip(item.because);
        } else if (item.kind === 'long') {
          tally.longRow({ ...item, file: source.name, line: item.place.line });
        } else if (item.kind === 'fault') {
          noteRefused(stager, item.place, item.made);
          reject(side, tally, typeOf(item.type), item, item.reason, item.field);
        } else if (stageLine(item, n + 1, stager, side, tally)) {
          n += 1;
          if (stager.isDue) await stager.send();
        }
        if (side.rejected.isDue) await side.rejected.write();
        if (side.repaired.isDue) await side.repaired.write();
      }
      onProgress(n);
      signal?.throwIfAborted();
    }
    side.respelled.list();
    if (side.read === 0 && source.isFile && !allowEmpty) {
      const what = `${source.name} holds nothing to import`;
      throw new ImportError('file', `${what}; --allow-empty takes an empty file.`);
    }
    files.push({ name: source.name, mapping: source.mapping, first, last: n });
  }
  await stager.flush();
  return files;
}

type LineItem = Extract<SourceItem, { kind: 'line' }>;

function stageLine(
  item: LineItem,
  n: number,
  stager: Stager,
  side: SideFiles,
  tally: Tally,
): boolean {
  const { place, original, line } = item;
  const notes: Note[] = item.notes === undefined ? [] : [...item.notes];
  try {
    const valid = validateLine(line);
    const isMapped = line !== original && typeof original !== 'string';
    const raw = () =>
      JSON.stringify(
        isMapped
          ? { ...place, origin: stager.origin(original, n), made: line }
          : { ...place, original },
      );
    stager.add(encodeLine(valid, { n, line: place.line, raw, note: (note) => notes.push(note) }));
    tally.read(valid.type);
    for (const note of notes) keepNote(item, valid.type, note, side, tally);
    return true;
  } catch (error) {
    if (!(error instanceof LineFault)) throw error;
    const given = (line as { readonly type?: unknown } | null)?.type;
    noteRefused(stager, place, line);
    reject(side, tally, typeOf(given), item, error.message, error.field);
    return false;
  }
}

/** Keeps where the record of a rejected line stood, if the line says which record it is. */
function noteRefused(stager: Stager, place: Place, line: unknown): void {
  if (typeof line !== 'object' || line === null) return;
  const { type, source, key } = line as Readonly<Record<string, unknown>>;
  const known = typeOf(type);
  if (known === 'unreadable' || typeof source !== 'string' || typeof key !== 'string') return;
  if (layout(known).keyed) stager.refused(recordId(known, source, key), place);
}

function keepNote(
  { place }: LineItem,
  type: RecordType,
  note: Note,
  { repaired, respelled }: SideFiles,
  tally: Tally,
): void {
  tally.note(type, note);
  if (note.kind === 'respelled') respelled.note(type, note, place.line);
  if (note.kind !== 'repaired') return;
  repaired.add({ line: place.line, type, field: note.field, done: note.done, was: note.was });
}

function reject(
  side: SideFiles,
  tally: Tally,
  type: RecordType | 'unreadable',
  item: SourceItem & { readonly original: unknown },
  reason: string,
  field: string | undefined,
): void {
  tally.read(type);
  tally.settle(type, 'rejected', 1);
  const made = item.kind === 'line' && typeof item.original !== 'string' ? item.line : undefined;
  addRejection(side, {
    line: item.place.line,
    type: type === 'unreadable' ? undefined : type,
    field,
    reason,
    original: item.original,
    made: made === item.original ? undefined : made,
  });
}

function typeOf(given: unknown): RecordType | 'unreadable' {
  return typeof given === 'string' && Object.hasOwn(recordTables, given)
    ? (given as RecordType)
    : 'unreadable';
}
