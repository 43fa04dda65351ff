import robotsParserModule from 'robots-parser';

// The package is CommonJS with the types of an ES module: its default import is the function.
const robotsParser = robotsParserModule as unknown as typeof robotsParserModule.default;

/** The length of a robots.txt that is parsed (RFC 9309, section 2.5). */
const ROBOTS_LENGTH_MAX = 500 * 1024;
/** The characters of rules with wildcards; comparing them takes time with every one. */
const WILDCARD_LENGTH_MAX = 32 * 1024;
const DISALLOW_ALL = 'User-agent: *\nDisallow: /\n';

/** The rules of a robots.txt for one robot. */
export interface RobotsRules {
  isAllowed(url: URL): boolean;
  /** The wanted pause between requests; 0 without one. */
  readonly crawlDelayMs: number;
}

/**
 * Reduces a robots.txt to the rules for one robot: the groups that name it, else those for `*`.
 * The parser multiplies user agents with rules, so it only gets one group.
 *
 * @param token the name of the robot in User-agent lines.
 */
export function reduceRobots(text: string, token: string): string {
  const groups = { ours: [] as string[], any: [] as string[] };
  let isNamed = false;
  let [isOurs, isAny, isInRules] = [false, false, false];
  for (const line of text
    .slice(0, ROBOTS_LENGTH_MAX)
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)) {
    const [, field = '', value = ''] = /^([^:#]*):([^#]*)/.exec(line) ?? [];
    const name = field.trim().toLowerCase();
    if (name === 'user-agent') {
      if (isInRules) [isOurs, isAny, isInRules] = [false, false, false];
      const agent = value.trim().toLowerCase().split('/', 1)[0];
      isOurs ||= agent === token.toLowerCase();
      isAny ||= agent === '*';
      isNamed ||= isOurs;
    } else if (name === 'allow' || name === 'disallow' || name === 'crawl-delay') {
      isInRules = true;
      const rule = `${name}: ${value.trim().replace(/\*+/g, '*')}`;
      if (isOurs) groups.ours.push(rule);
      if (isAny) groups.any.push(rule);
    }
  }
  const rules = isNamed ? groups.ours : groups.any;
  const wildcards = rules.filter((rule) => rule.includes('*')).join('');
  if (wildcards.length > WILDCARD_LENGTH_MAX) return DISALLOW_ALL;
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
