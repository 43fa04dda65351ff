import { type Dimension, ENTITIES, type EntityId } from '@vcds/venture-model';
import { currentIdSql, type MergedKind, withMergedIdsSql } from '../merged/current-ids.ts';
import { relationOf } from '../narrowing/groups.ts';
import type { PlannedNarrowing } from '../narrowing/plan.ts';
import { narrowedShare } from '../narrowing/share.ts';
import { compileNarrowing } from '../narrowing/sql.ts';
import type { StatisticsOf } from '../postgres/column-statistics.ts';
import type { SqlValues } from '../postgres/sql-values.ts';
import type { Residual, SignalKeys } from './scan.ts';
import {
  type ObjectType,
  type SignalType,
  SUBJECT_CODES,
  type SubjectType,
} from './signal-types.ts';

interface Target {
  readonly entity: EntityId;
  readonly table: string;
  readonly kind: MergedKind;
}

const SUBJECTS: Readonly<Record<SubjectType, Target>> = {
  startup: { entity: 'startups', table: 'venture.startup', kind: 'startup' },
  fund: { entity: 'funds', table: 'venture.fund', kind: 'fund' },
};

/** Objects that dimensions apply to. */
const OBJECTS: Readonly<Partial<Record<ObjectType, Target>>> = {
  round: { entity: 'rounds', table: 'venture.funding_round', kind: 'round' },
  startup: { entity: 'startups', table: 'venture.startup', kind: 'startup' },
};

/** Signals with the same condition. */
interface SignalGroup {
  readonly codes: readonly number[];
  readonly subject: SubjectType;
  readonly bySubject: readonly PlannedNarrowing[];
  readonly object: Target | undefined;
  readonly byObject: readonly PlannedNarrowing[];
}

/** The records that meet narrowings, as subjects or as objects. */
export interface NarrowedRecords {
  readonly as: keyof SignalKeys;
  /** SQL that selects their ids. */
  readonly ids: (values: SqlValues) => string;
}

/** The signals that meet the narrowings. */
export interface NarrowedSignals {
  /** Types that the narrowings apply to. */
  readonly types: readonly SignalType[];
  readonly residual: Residual;
  /**
   * The sets of records such that each signal that meets the narrowings has one of a set as its
   * subject or object; a set has alternatives.
   */
  readonly records: readonly (readonly NarrowedRecords[])[];
  /** The share of all signals that meet the narrowings, at most; 0 to 1, by statistics. */
  readonly shareMax: (statistics: StatisticsOf) => number;
}

/**
 * Applies each narrowing to the subject if its entity has the dimension, else to the object. As the
 * object, a round also has the dimensions of its startup and its investors; no other relation is
 * followed. Signals with neither are excluded (docs/spec/signals.md 9.11).
 */
export function narrowSignals(
  types: readonly SignalType[],
  by: readonly PlannedNarrowing[],
): NarrowedSignals {
  const groups = groupsOf(types, by);
  const codes = new Set(groups.flatMap((each) => each.codes));
  return {
    types: types.filter(({ code }) => codes.has(code)),
    residual: (row, values) =>
      groups.length === 0
        ? 'false'
        : `(${groups.map((each) => conditionOf(each, row, values)).join(' OR ')})`,
    records: groups.map(recordsOf),
    shareMax: (statistics) => shareMax(groups, statistics),
  };
}

/** Signals are spread over the subjects of a type; conditions of objects are taken for met. */
function shareMax(groups: readonly SignalGroup[], statistics: StatisticsOf): number {
  const types = statistics('venture.signal', 'subject_type')?.frequent;
  const shares = Object.entries(SUBJECTS).map(([subject, { entity, table }]) => {
    const ofGroups = groups.flatMap((each) =>
      each.subject === subject ? narrowedShare(each.bySubject, entity, table, statistics) : [],
    );
    const ofType = types?.get(String(SUBJECT_CODES[subject as SubjectType])) ?? 1;
    return ofType * Math.max(0, ...ofGroups);
  });
  return shares.reduce((sum, share) => sum + share, 0);
}

function groupsOf(types: readonly SignalType[], by: readonly PlannedNarrowing[]): SignalGroup[] {
  const groups = new Map<string, SignalGroup & { codes: number[] }>();
  const dimensions = by.map(({ dimension }) => dimension);
  for (const { code, subjects, object } of types) {
    const target = object === null ? undefined : OBJECTS[object];
    for (const subject of subjects) {
      const { entity } = SUBJECTS[subject];
      const isOwn = ({ dimension }: PlannedNarrowing) =>
        relationOf(dimension, dimensions, entity) === undefined;
      const byObject = by.filter((each) => !isOwn(each));
      if (!byObject.every(({ dimension }) => appliesTo(target, dimension))) continue;
      const key = `${subject} ${byObject.length === 0 ? '' : target?.entity}`;
      const found = groups.get(key);
      if (found !== undefined) found.codes.push(code);
      else {
        const bySubject = by.filter(isOwn);
        groups.set(key, { codes: [code], subject, bySubject, object: target, byObject });
      }
    }
  }
  return [...groups.values()];
}

function appliesTo(object: Target | undefined, dimension: Dimension): boolean {
  return object !== undefined && (object.entity === 'rounds' || owns(object.entity, dimension));
}

function owns(entity: EntityId, { readings }: Dimension): boolean {
  return readings[entity].through === undefined;
}

function conditionOf(each: SignalGroup, row: string, values: SqlValues): string {
  const { codes, subject, bySubject, object, byObject } = each;
  const terms = [
    `${row}.subject_type = ${SUBJECT_CODES[subject]}`,
    `${row}.type IN (${codes.join(', ')})`,
  ];
  if (bySubject.length > 0) {
    terms.push(exists(SUBJECTS[subject], `${row}.subject_id`, bySubject, values));
  }
  if (byObject.length > 0 && object !== undefined) {
    terms.push(exists(object, `${row}.object_id`, byObject, values));
  }
  return `(${terms.join(' AND ')})`;
}

// OFFSET 0 keeps the look-up one by id for each candidate, whose cost does not depend on the values;
// otherwise the planner may collect all records that meet the narrowings first.
function exists(
  { entity, table, kind }: Target,
  id: string,
  by: readonly PlannedNarrowing[],
  values: SqlValues,
): string {
  const condition = compileNarrowing(by, entity, 'narrowed', values);
  return `EXISTS (SELECT FROM ${table} narrowed
    WHERE narrowed.id = ${currentIdSql(kind, id)} AND ${condition} OFFSET 0)`;
}

function recordsOf({ subject, bySubject, object, byObject }: SignalGroup): NarrowedRecords[] {
  const idsOf =
    ({ entity, table, kind }: Target, by: readonly PlannedNarrowing[]) =>
    (values: SqlValues) => {
      const listed = ENTITIES[entity].listed('narrowed');
      const met = `SELECT narrowed.id FROM ${table} narrowed
        WHERE ${compileNarrowing(by, entity, 'narrowed', values)}`;
      // Listed and deleted records have indexes of their own. The planner joins their bitmaps, but
      // does not look records up by the key of a relation with an OR.
      const isOwn = by.every(({ dimension }) => dimension.readings[entity].through === undefined);
      const all = isOwn
        ? `${met} AND (${listed} OR NOT (${listed}))`
        : `${met} AND ${listed} UNION ALL ${met} AND NOT (${listed})`;
      return withMergedIdsSql(kind, all);
    };
  return [
    ...(bySubject.length === 0
      ? []
      : [{ as: 'subjects', ids: idsOf(SUBJECTS[subject], bySubject) } as const]),
    ...(byObject.length === 0 || object === undefined
      ? []
      : [{ as: 'objects', ids: idsOf(object, byObject) } as const]),
  ];
}
