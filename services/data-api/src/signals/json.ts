import { type FeedRow, subjectTypeOf } from './scan.ts';
import { signalTypeCoded } from './signal-types.ts';
import { instantOf } from './timestamps.ts';

/** A signal as the statements return it. */
export interface SignalRow extends FeedRow {
  readonly position: string;
  readonly objectId: string | null;
  readonly amount: number | null;
  readonly label: string | null;
  readonly subjectName?: string | null;
  readonly subjectDomain?: string | null;
  readonly objectName?: string | null;
}

/** A signal as JSON. An undisclosed amount is null. */
export function signalJson(row: SignalRow): object {
  const type = signalTypeCoded(row.type);
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
