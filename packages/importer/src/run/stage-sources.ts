import type { StagedFile } from '../checks/keys.ts';
import { ImportError } from '../errors/import-error.ts';
import { LineError, type Note } from '../errors/line-error.ts';
import { recordTables } from '../records/index.ts';
import type { RecordType } from '../records/kinds.ts';
import { recordId } from '../records/record-id.ts';
import type { Rejection } from '../report/rejections.ts';
import type { Respellings } from '../report/respellings.ts';
import type { SideFile } from '../report/side-file.ts';
import type { Tally } from '../report/tally.ts';
import { validateLine } from '../schema/line-validator.ts';
import type { ErrorItem, LineItem, SourceLocation } from '../sources/source-item.ts';
import { encodeLine } from '../staging/encode-line.ts';
import { layout } from '../staging/layout.ts';
import type { StageTables } from '../staging/stage-tables.ts';
import { Stager } from '../staging/stager.ts';
import type { OpenSource } from './open-sources.ts';

/** The files for the rejected and repaired lines of a source. */
export interface SideFiles {
  /** The name of the source in reports. */
  readonly name: string;
  readonly rejected: SideFile;
  readonly repaired: SideFile;
  readonly respelled: Respellings;
  /** The number of lines or rows read. */
  read: number;
  /** The line number of the last one read. */
  readLast: number;
  /** The line number of the last one rejected. */
  rejectedLast: number;
}

/** Adds a rejected line; of several lines made of one row only the first shows the row. */
export function addRejection(
  side: SideFiles,
  rejection: Rejection,
  tally: Tally,
  follows = false,
): void {
  tally.causes.add(side.name, rejection, follows);
  const isShown = side.rejectedLast === rejection.line;
  side.rejectedLast = rejection.line;
  const { line, type, field, reason } = rejection;
  const about = [type, field === undefined || reason.includes(field) ? undefined : field];
  side.rejected.add(
    isShown ? { ...rejection, original: undefined } : rejection,
    [`line ${line}`, about.filter(Boolean).join(' '), reason].filter(Boolean).join(': '),
  );
}

/** The sources to stage, and the receivers of what is read. */
export interface Staging {
  readonly options: { readonly allowEmpty?: boolean; readonly signal?: AbortSignal };
  readonly tables: StageTables;
  readonly sources: readonly OpenSource[];
  readonly sides: readonly SideFiles[];
  readonly tally: Tally;
}

/**
 * Reads every source once, validates each line and stages the valid ones.
 *
 * @returns the numbers of the staged lines of each source.
 * @throws ImportError for a file that cannot be read, or that is empty and must not be.
 */
export async function stageSources(
  { options, tables, sources, sides, tally }: Staging,
  onProgress: (lines: number) => void,
): Promise<readonly StagedFile[]> {
  const stager = new Stager(tables);
  const files: StagedFile[] = [];
  let n = 0;
  for (const [file, source] of sources.entries()) {
    const first = n + 1;
    const side = sides[file];
    if (side === undefined) continue;
    for await (const items of source.items(file)) {
      for (const item of items) {
        const { line } = item.location;
        if (side.readLast !== line) side.read += 1;
        side.readLast = line;
        if (item.kind === 'skipped') tally.skip(item.because);
        else if (item.kind === 'long') tally.longRow({ ...item, file: source.name, line });
        else if (item.kind === 'fault') reject(item, stager, side, tally);
        else if (stageLine(item, n + 1, stager, side, tally)) {
          n += 1;
          if (stager.isDue) await stager.send();
        }
        if (side.rejected.isDue) await side.rejected.write();
        if (side.repaired.isDue) await side.repaired.write();
      }
      onProgress(n);
      options.signal?.throwIfAborted();
    }
    side.respelled.list();
    if (side.read === 0 && source.isFile && options.allowEmpty !== true) {
      const advice = 'use --allow-empty if that is intended';
      throw new ImportError('file', `${source.name} contains no lines; ${advice}.`);
    }
    files.push({ name: source.name, mapping: source.mapping, first, last: n });
  }
  await stager.flush();
  return files;
}

function stageLine(
  item: LineItem,
  n: number,
  stager: Stager,
  side: SideFiles,
  tally: Tally,
): boolean {
  const { location, original, line } = item;
  const notes: Note[] = [...(item.notes ?? [])];
  try {
    const valid = validateLine(line);
    const raw = () =>
      JSON.stringify(
        isMapped(item)
          ? { ...location, origin: stager.origin(original, n), made: line }
          : { ...location, original },
      );
    const note = (one: Note) => notes.push(one);
    stager.add(encodeLine(valid, { n, line: location.line, raw, note }));
    tally.add(valid.type, 'read');
    for (const one of notes) keepNote(location, valid.type, one, side, tally);
    return true;
  } catch (error) {
    if (!(error instanceof LineError)) throw error;
    const { message: reason, field } = error;
    const { type } = (line ?? {}) as { readonly type?: unknown };
    const made = line as Readonly<Record<string, unknown>>;
    const fault = {
      location,
      original,
      reason,
      field,
      made,
      type: typeof type === 'string' ? type : '',
    };
    reject({ kind: 'fault', ...fault }, stager, side, tally, isMapped(item));
    return false;
  }
}

/** Whether the line was made of a row. */
const isMapped = ({ line, original }: LineItem): boolean =>
  line !== original && typeof original !== 'string';

function keepNote(
  { line }: SourceLocation,
  type: RecordType,
  note: Note,
  { repaired, respelled }: SideFiles,
  tally: Tally,
): void {
  if (note.kind === 'unknown') {
    tally.unknownCountry(String(note.was));
    return;
  }
  tally.note(type, note);
  if (note.kind === 'respelled') respelled.note(type, note, line);
  if (note.kind !== 'repaired') return;
  repaired.add({ line, type, field: note.field, done: note.done, was: note.was });
}

/** Lists a rejected line, and stores the location of its record if the line identifies it. */
function reject(
  { location, original, reason, field, made, type = '' }: ErrorItem,
  stager: Stager,
  side: SideFiles,
  tally: Tally,
  showMade = false,
): void {
  const known = Object.hasOwn(recordTables, type) ? (type as RecordType) : undefined;
  const { source, key } = made ?? {};
  if (known && layout(known).keyed && typeof source === 'string' && typeof key === 'string') {
    stager.rejected(recordId(known, source, key), location);
  }
  tally.add(known ?? 'unreadable', 'read');
  tally.add(known ?? 'unreadable', 'rejected');
  const shown = showMade ? made : undefined;
  const rejection = { line: location.line, type: known, field, reason, original, made: shown };
  addRejection(side, rejection, tally);
}
