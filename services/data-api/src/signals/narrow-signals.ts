import type { Dimension, EntityId } from '@vcds/venture-model';
import type { PlannedNarrowing } from '../narrowing/plan.ts';
import { compileNarrowing } from '../narrowing/sql.ts';
import type { Residual } from './scan-sql.ts';
import {
  type ObjectType,
  type SignalType,
  SUBJECT_CODES,
  type SubjectType,
} from './signal-types.ts';

interface Target {
  readonly entity: EntityId;
  readonly table: string;
}

const SUBJECTS: Readonly<Record<SubjectType, Target>> = {
  startup: { entity: 'startups', table: 'venture.startup' },
  fund: { entity: 'funds', table: 'venture.fund' },
};

/** Objects that dimensions apply to. */
const OBJECTS: Readonly<Partial<Record<ObjectType, Target>>> = {
  round: { entity: 'rounds', table: 'venture.funding_round' },
  startup: { entity: 'startups', table: 'venture.startup' },
};

/** Signals that are narrowed in one way. */
interface Class {
  readonly codes: readonly number[];
  readonly subject: SubjectType;
  readonly bySubject: readonly PlannedNarrowing[];
  readonly object: Target | undefined;
  readonly byObject: readonly PlannedNarrowing[];
}

/** Which signals narrowings leave, and how they are told. */
export interface NarrowedSignals {
  /** Types that the narrowings apply to. */
  readonly types: readonly SignalType[];
  readonly residual: Residual;
  /**
   * The subjects that meet the narrowings, where only subjects are asked: SQL of their ids.
   * Undefined where objects are asked too.
   */
  readonly subjects: ((values: Parameters<Residual>[1]) => string) | undefined;
}

/**
 * Narrows signals by what a dimension is a fact of: the subject, else the object. A round that is the
 * object also has the facts of its startup and its investors; no other relation is followed. Signals
 * with neither are left out (docs/spec/signals.md).
 */
export function narrowSignals(
  types: readonly SignalType[],
  by: readonly PlannedNarrowing[],
): NarrowedSignals {
  const classes = classesOf(types, by);
  const codes = new Set(classes.flatMap((each) => each.codes));
  return {
    types: types.filter(({ code }) => codes.has(code)),
    residual: (row, values) =>
      classes.length === 0
        ? 'false'
        : `(${classes.map((each) => conditionOf(each, row, values)).join(' OR ')})`,
    subjects: classes.some(({ byObject }) => byObject.length > 0)
      ? undefined
      : (values) => classes.map((each) => subjectsOf(each, values)).join(' UNION ALL '),
  };
}

function classesOf(types: readonly SignalType[], by: readonly PlannedNarrowing[]): Class[] {
  const classes = new Map<string, Class & { codes: number[] }>();
  for (const { code, subjects, object } of types) {
    const target = object === null ? undefined : OBJECTS[object];
    for (const subject of subjects) {
      const isOwn = ({ dimension }: PlannedNarrowing) => owns(SUBJECTS[subject].entity, dimension);
      const byObject = by.filter((each) => !isOwn(each));
      if (!byObject.every(({ dimension }) => appliesTo(target, dimension))) continue;
      const key = `${subject} ${byObject.length === 0 ? '' : target?.entity}`;
      const found = classes.get(key);
      if (found !== undefined) found.codes.push(code);
      else {
        const bySubject = by.filter(isOwn);
        classes.set(key, { codes: [code], subject, bySubject, object: target, byObject });
      }
    }
  }
  return [...classes.values()];
}

function appliesTo(object: Target | undefined, dimension: Dimension): boolean {
  return object !== undefined && (object.entity === 'rounds' || owns(object.entity, dimension));
}

function owns(entity: EntityId, { entities }: Dimension): boolean {
  return entities.includes(entity);
}

function conditionOf(each: Class, row: string, values: Parameters<Residual>[1]): string {
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

function exists(
  { entity, table }: Target,
  id: string,
  by: readonly PlannedNarrowing[],
  values: Parameters<Residual>[1],
): string {
  const condition = compileNarrowing(by, entity, 'narrowed', values);
  return `EXISTS (SELECT FROM ${table} narrowed WHERE narrowed.id = ${id} AND ${condition})`;
}

function subjectsOf({ subject, bySubject }: Class, values: Parameters<Residual>[1]): string {
  const { entity, table } = SUBJECTS[subject];
  const condition = compileNarrowing(bySubject, entity, 'narrowed', values);
  return `SELECT narrowed.id FROM ${table} narrowed WHERE ${condition}`;
}
