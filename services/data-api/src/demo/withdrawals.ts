import type { ImportLine } from '@vcds/importer';
import type { Stamp } from './stamp.ts';

/**
 * The line that takes out what a line put in; none for people, who stay, and for what goes with
 * the round or the company it belongs to.
 */
export function* withdrawalOf(line: ImportLine, stamp: Stamp): Iterable<ImportLine> {
  const op = 'delete';
  switch (line.type) {
    case 'startup':
    case 'fund':
    case 'round':
    case 'valuation':
    case 'news':
    case 'reference':
      yield { op, type: line.type, ...stamp, key: line.key };
      return;
    case 'investor':
      yield { op, type: 'investor', ...stamp, Round: line.Round, Investor: line.Investor };
      return;
    case 'holding':
      yield { op, type: 'holding', ...stamp, Fund: line.Fund, Startup: line.Startup };
      return;
    case 'startup_person':
      yield { op, type: line.type, ...stamp, Startup: line.Startup, Person: line.Person };
      return;
    case 'fund_person':
      yield { op, type: line.type, ...stamp, Fund: line.Fund, Person: line.Person };
      return;
    case 'person':
  }
}
