import robotsParserModule from 'robots-parser';

// The package is CommonJS with the types of an ES module: its default import is the function.
const robotsParser = robotsParserModule as unknown as typeof robotsParserModule.default;

/** The length of a robots.txt that is read (RFC 9309, section 2.5). */
const ROBOTS_LENGTH_MAX = 500 * 1024;
/** Rules for one robot, and their characters: comparing a URL takes time with every one. */
const RULES_MAX = 2_000;
const RULES_LENGTH_MAX = 128 * 1024;
/** Characters of rules with wildcards. */
const WILDCARD_LENGTH_MAX = 32 * 1024;
const DISALLOW_ALL = 'User-agent: *\nDisallow: /\n';
/** One expression for all lines: a hundred thousand lines of anything else take no time each. */
const LINE = /^[ \t]{0,100}(user-agent|allow|disallow|crawl-delay)[ \t]{0,100}:([^#\r\n]*)/gim;

/** The rules of a robots.txt for one robot. */
export interface RobotsRules {
  isAllowed(url: URL): boolean;
  /** The wanted pause between requests; 0 without one. */
  readonly crawlDelayMs: number;
}

/**
 * Reduces a robots.txt to the rules for one robot: the groups that name it, else those for `*`.
 * The parser multiplies user agents with rules, so it only gets one group. More than 2,000 rules, or
 * 128 Ki characters of them, allow nothing.
 *
 * @param token the name of the robot in User-agent lines.
 */
export function reduceRobots(text: string, token: string): string {
  const groups = { ours: [] as string[], any: [] as string[] };
  let isNamed = false;
  let [isOurs, isAny, isInRules] = [false, false, false];
  const read = text.slice(0, ROBOTS_LENGTH_MAX).replace(/^\uFEFF/, '');
  for (const [, field = '', value = ''] of read.matchAll(LINE)) {
    const name = field.toLowerCase();
    if (name === 'user-agent') {
      if (isInRules) [isOurs, isAny, isInRules] = [false, false, false];
      const agent = value.trim().toLowerCase().split('/', 1)[0];
      isOurs ||= agent === token.toLowerCase();
      isAny ||= agent === '*';
      isNamed ||= isOurs;
    } else {
      isInRules = true;
      const open = [...(isOurs ? [groups.ours] : []), ...(isAny ? [groups.any] : [])].filter(
        ({ length }) => length <= RULES_MAX,
      );
      if (open.length === 0) continue;
      const rule = `${name}: ${value.trim().replace(/\*+/g, '*')}`;
      for (const group of open) group.push(rule);
    }
  }
  const rules = isNamed ? groups.ours : groups.any;
  const wildcards = rules.filter((rule) => rule.includes('*')).join('');
  const isTooLong = rules.length > RULES_MAX || rules.join('').length > RULES_LENGTH_MAX;
  if (isTooLong || wildcards.length > WILDCARD_LENGTH_MAX) return DISALLOW_ALL;
  return rules.length === 0 ? '' : `User-agent: *\n${rules.join('\n')}\n`;
}

/** The rules of a reduced robots.txt of an origin. */
export function robotsRules(origin: string, reduced: string): RobotsRules {
  const robots = robotsParser(`${origin}/robots.txt`, reduced);
  const seconds = robots.getCrawlDelay('*') ?? 0;
  return {
    isAllowed: (url) => robots.isAllowed(url.href, '*') !== false,
    crawlDelayMs: seconds > 0 ? seconds * 1000 : 0,
  };
}
