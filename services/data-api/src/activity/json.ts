import { subjectTypeOf } from '../signals/scan.ts';
import { signalTypeCoded } from '../signals/signal-types.ts';
import type { ActivityRow } from './sql.ts';
import { activityTitle } from './titles.ts';

/** An entry of the activity feed as JSON (docs/spec/activity.md 21.3). */
export function activityJson({ id, date, type, subjectType, subjectId, facts }: ActivityRow) {
  const { name } = signalTypeCoded(type);
  return {
    Id: id,
    Date: date,
    Type: name,
    Title: activityTitle(name, facts),
    Subject: { Type: subjectTypeOf(subjectType), Id: subjectId, Name: facts.name },
    Amount: facts.amount ?? null,
    Url: facts.urls.find((url) => url !== null && /^https?:\/\//i.test(url)) ?? null,
  };
}
