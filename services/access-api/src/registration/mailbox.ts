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
  ...rows(
    FASTMAIL,
    `fastmail.com fastmail.fm fastmail.net fastmail.org fastmail.co.uk fastmail.de fastmail.jp
sent.com`,
  ),
  ...rows(
    PLAIN,
    `126.com 139.com 163.com 188.com 189.cn 1und1.de 21cn.com a1.net abv.bg aim.com alice.it
aliceadsl.fr aliyun.com aol.com aon.at appleid.com arcor.de arnet.com.ar aruba.it asia.com
atlas.cz att.net au.com azet.sk bbox.fr bell.net bellsouth.net bezeqint.net biglobe.ne.jp
bigmir.net bigpond.com bigpond.net.au bk.ru bluewin.ch blueyonder.co.uk bol.com.br bol.de
btinternet.com btopenworld.com buziaczek.pl cantv.net casema.nl cegetel.net centrum.cz
centrum.sk centurylink.net charter.net chello.at chello.nl citromail.hu clear.net.nz clix.pt
club-internet.fr cogeco.ca comcast.net comhem.se consultant.com cox.net daum.net dir.bg
disroot.org docomo.ne.jp dr.com dreamwiz.com duck.com earthlink.net elisanet.fi email.com
email.cz email.de email.it empal.com engineer.com europe.com excite.co.jp ezweb.ne.jp
fastwebnet.it fibertel.com.ar forthnet.gr foxmail.com free.fr freemail.gr freemail.hu
freenet.de frontier.com frontiernet.net gazeta.pl getmail.no globo.com globomail.com gmx.net
go2.pl goo.jp hanmail.net hetnet.nl hey.com hinet.net hispeed.ch home.ne.jp home.nl hush.com
hushmail.com i.ua iafrica.com icloud.com ig.com.br iinet.net.au in.com iname.com inbox.com
inbox.lv inbox.ru indamail.hu indiatimes.com infoseek.jp interia.eu interia.pl internet.ru
inwind.it iol.it iol.pt juno.com kabelmail.de kakao.com kolabnow.com kolumbus.fi korea.com
kpnmail.nl laposte.net libero.it list.ru luukku.com mac.com mail.bg mail.com mail.de mail.dk
mail.ee mail.ru mailbox.org mailfence.com me.com meta.ua mindspring.com movistar.es
mozmail.com msn.com mweb.co.za mynet.com myself.com nate.com naver.com netcabo.pt
netscape.net netvigator.com netvision.net.il netzero.net neuf.fr nifty.com ntlworld.com
numericable.fr o2.pl o2online.de ocn.ne.jp oi.com.br on.net onet.eu onet.pl online.de
online.no ono.com op.pl optonline.net optusnet.com.au orange.es orange.fr orcon.net.nz
otenet.gr ozemail.com.au pchome.com.tw plala.or.jp planet.nl poczta.fm post.com post.cz
posta.hu poste.it posteo.de posteo.net prodigy.net.mx proximus.be qq.com r7.com rambler.ru
rediff.com rediffmail.com riseup.net rogers.com runbox.com sapo.pt sasktel.net sbcglobal.net
scarlet.be seznam.cz sfr.fr shaw.ca sify.com simplelogin.com sina.cn sina.com singnet.com.sg
sky.com skynet.be slingshot.co.nz so-net.ne.jp softbank.jp softbank.ne.jp sohu.com
spectrum.net spray.se starhub.net.sg startmail.com sunrise.ch superonline.com sympatico.ca
t-online.de t-online.hu talktalk.net telefonica.net telenet.be telia.com telkomsa.net
telus.net terra.cl terra.com terra.com.br terra.es tim.it tin.it tiscali.co.uk tiscali.it
tlen.pl tom.com tpg.com.au ttmail.com tuta.com tuta.io tutamail.com tutanota.com tutanota.de
tvcablenet.be ukr.net unitybox.de uol.com.br usa.com usa.net verizon.net videotron.ca
virgilio.it virginmedia.com vodafone.de vodafone.pt vodafonemail.de voila.fr volny.cz vp.pl
vtr.net walla.co.il walla.com wanadoo.fr web.de webmail.co.za westnet.com.au windstream.net
wo.cn wp.pl writeme.com xs4all.nl xtra.co.nz ya.ru yandex.com yeah.net ymobile.ne.jp
ziggo.nl zoho.com zohomail.com zoznam.sk`,
  ),
]);
/** Hosts with a domain in many countries. */
const INTERNATIONAL: ReadonlyMap<string, HostRules> = new Map<string, HostRules>([
  ...rows(YAHOO, 'yahoo'),
  ...rows(PLAIN, 'aol gmx hotmail live outlook yandex zoho'),
]);

function rows(rules: HostRules, hosts: string): [string, HostRules][] {
  return hosts.split(/\s/).map((host) => [host, rules]);
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
