import { CronExpressionParser } from 'cron-parser';

/** The variable of a schedule: a cron pattern in UTC, or `off`. */
export function scheduleVariable<const Pattern extends string>(
  pattern: Pattern,
  description: string,
) {
  return {
    type: 'string',
    default: pattern,
    accepts: isSchedule,
    expected: "a cron pattern, such as '30 2 * * *', or off",
    description,
  } as const;
}

function isSchedule(text: string): boolean {
  if (text === 'off') return true;
  try {
    CronExpressionParser.parse(text, { tz: 'UTC' });
    return true;
  } catch {
    return false;
  }
}
