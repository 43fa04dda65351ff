import { type SignalRow, subjectTypeOf } from './scan.ts';
import { SIGNAL_TYPES, type SignalType } from './signal-types.ts';
import { instantOf } from './timestamps.ts';

const BY_CODE: ReadonlyMap<number, SignalType> = new Map(
  SIGNAL_TYPES.map((type) => [type.code, type]),
);

/** A signal as JSON. An undisclosed amount is null. */
export function signalJson(row: SignalRow): object {
  const type = BY_CODE.get(row.type);
  if (type === undefined) throw new RangeError(`Unknown signal type ${row.type}.`);
  return {
    id: row.id,
    type: type.name,
    detectedAt: instantOf(row.detectedAt, 6),
    occurredAt: instantOf(row.occurredAt, 3),
    subject: {
      type: subjectTypeOf(row.subjectType),
      id: row.subjectId,
      ...(row.subjectName === undefined
        ? {}
        : { name: row.subjectName, domain: row.subjectDomain ?? null }),
    },
    ...(type.object === null
      ? {}
      : {
          object: {
            type: type.object,
            id: row.objectId,
            ...(row.objectName === undefined ? {} : { name: row.objectName }),
          },
        }),
    ...(type.carriesAmount ? { amount: row.amount } : {}),
    ...(type.carriesLabel ? { label: row.label } : {}),
  };
}
