import { getDomain, getDomainWithoutSuffix } from 'tldts';
import { domainOf, type EmailAddress } from './email-address.ts';

/** How a host reads the addresses of one mailbox, beyond `+tag`. */
interface HostRules {
  /** The name under which its mailboxes are counted. */
  readonly host?: string;
  /** Dots in the local part have no meaning. */
  readonly ignoresDots?: boolean;
  /** Text after `-` is a tag. */
  readonly hasDashTags?: boolean;
  /** `any@name.host` is `name@host`. */
  readonly hasSubdomains?: boolean;
}

const GMAIL: HostRules = { host: 'gmail.com', ignoresDots: true };
const PROTON: HostRules = { host: 'proton.me', ignoresDots: true };
const YAHOO: HostRules = { hasDashTags: true };
const FASTMAIL: HostRules = { hasSubdomains: true };
const PLAIN: HostRules = {};

/**
 * Hosts of the mailboxes of many people, which are not limited as one domain. Yahoo has one in many
 * countries: {@link rulesOf}.
 */
const HOSTS: ReadonlyMap<string, HostRules> = new Map<string, HostRules>([
  ...rows(GMAIL, 'gmail.com googlemail.com'),
  ...rows(PROTON, 'proton.me protonmail.com pm.me protonmail.ch'),
  ...rows(YAHOO, 'ymail.com rocketmail.com myyahoo.com'),
  ...rows(FASTMAIL, 'fastmail.com fastmail.fm fastmail.net fastmail.org sent.com'),
  ...rows(
    PLAIN,
    'aol.com att.net bigpond.com bol.com.br bluewin.ch btinternet.com comcast.net cox.net',
  ),
  ...rows(
    PLAIN,
    'duck.com foxmail.com free.fr freenet.de gmx.at gmx.ch gmx.com gmx.de gmx.net hanmail.net',
  ),
  ...rows(
    PLAIN,
    'hey.com hotmail.com icloud.com interia.pl laposte.net libero.it live.com mac.com mail.com',
  ),
  ...rows(
    PLAIN,
    'mail.ru mailbox.org me.com msn.com naver.com o2.pl onet.pl orange.fr outlook.com posteo.de',
  ),
  ...rows(
    PLAIN,
    'posteo.net qq.com rediffmail.com sapo.pt seznam.cz sfr.fr t-online.de tuta.com tutanota.com',
  ),
  ...rows(
    PLAIN,
    'uol.com.br verizon.net virgilio.it wanadoo.fr web.de wp.pl yandex.com yandex.ru zoho.com',
  ),
  ...rows(
    PLAIN,
    '126.com 163.com 1und1.de daum.net docomo.ne.jp ezweb.ne.jp nate.com softbank.ne.jp yeah.net',
  ),
]);
/** Hosts with a domain in many countries. */
const INTERNATIONAL: ReadonlyMap<string, HostRules> = new Map([
  ['yahoo', YAHOO],
  ['hotmail', PLAIN],
  ['live', PLAIN],
  ['outlook', PLAIN],
]);

function rows(rules: HostRules, hosts: string): [string, HostRules][] {
  return hosts.split(' ').map((host) => [host, rules]);
}

/** The registrable domain of a host name, or the name if it has none. */
function registrable(domain: string): string {
  return getDomain(domain, { allowPrivateDomains: true }) ?? domain;
}

function rulesOf(host: string): HostRules | undefined {
  return HOSTS.get(host) ?? INTERNATIONAL.get(getDomainWithoutSuffix(host) ?? '');
}

/**
 * The probable mailbox of an address: without `+tag`, and by the rules of its host for dots, `-` and
 * subdomains. Only for limits on mail; accounts are identified by the exact address.
 */
export function mailboxOf(address: EmailAddress): string {
  const domain = domainOf(address);
  const local = address.slice(0, -domain.length - 1);
  const own = registrable(domain);
  const rules = rulesOf(own) ?? PLAIN;
  const isBelow = rules.hasSubdomains === true && domain !== own;
  // A name below a host is another one, unless the host says so.
  const { host, ignoresDots, hasDashTags } = isBelow || domain === own ? rules : PLAIN;
  const name = isBelow ? domain.slice(0, -own.length - 1).replace(/^.*\./, '') : local;
  const untagged = before(hasDashTags === true ? before(name, '-') : name, '+');
  const mailbox = ignoresDots === true ? untagged.replaceAll('.', '') : untagged;
  return `${mailbox}@${host ?? (isBelow ? own : domain)}`;
}

// A tag follows a name: the first character is never its sign.
function before(name: string, sign: string): string {
  const at = name.indexOf(sign, 1);
  return at === -1 ? name : name.slice(0, at);
}

/**
 * The registrable domain whose mailboxes may all be one (a catch-all), with all names below it;
 * undefined for a host of the mailboxes of many people.
 */
export function sharedDomainOf(address: EmailAddress): string | undefined {
  const own = registrable(domainOf(address));
  return rulesOf(own) === undefined ? own : undefined;
}
