import type { ImportLine, Ref } from '@vcds/importer';

/** A record as a key names it: its type and its key. */
export const nameOf = (type: string, ref: Ref): string =>
  `${type} ${'key' in ref ? ref.key : ref.Id}`;

/** The record a line is about: its key, or the pair that it ties. */
export function recordOf(line: ImportLine): string {
  switch (line.type) {
    case 'investor':
    case 'holding':
    case 'startup_person':
    case 'fund_person':
      return `${line.type} ${referencesOf(line).join(' ')}`;
    default:
      return `${line.type} ${line.key}`;
  }
}

/** The records that a line refers to. */
export function referencesOf(line: ImportLine): string[] {
  switch (line.type) {
    case 'round':
      if (line.op === 'delete') return [];
      return [
        ...to('startup', line.Startup),
        ...(line.op === 'mention' ? [] : (line.Investors ?? [])).map((ref) =>
          nameOf(ref.type, ref),
        ),
      ];
    case 'investor':
      return [...to('round', line.Round), nameOf(line.Investor.type, line.Investor)];
    case 'holding':
      return [...to('fund', line.Fund), ...to('startup', line.Startup)];
    case 'valuation':
      if (line.op === 'delete') return [];
      return [...to('startup', line.Startup), ...to('round', line.Round)];
    case 'news':
      if (line.op === 'delete') return [];
      return [...to('startup', line.Startup), ...to('fund', line.Fund)];
    case 'startup_person':
      return [...to('startup', line.Startup), ...to('person', line.Person)];
    case 'fund_person':
      return [...to('fund', line.Fund), ...to('person', line.Person)];
    case 'reference':
      return line.op === 'delete' ? [] : to('startup', line.Startup);
    default:
      return [];
  }
}

const to = (type: string, ref: Ref | null | undefined): string[] =>
  ref === null || ref === undefined ? [] : [nameOf(type, ref)];
