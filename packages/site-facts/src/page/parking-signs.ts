/** Hosts of companies that park, sell or auction domains: of the page, its scripts or frames. */
export const PARKING_HOSTS: readonly string[] = [
  ...['sedoparking.com', 'sedo.com', 'parkingcrew.net', 'parklogic.com', 'bodis.com', 'above.com'],
  ...['hugedomains.com', 'dan.com', 'afternic.com', 'undeveloped.com', 'domainmarket.com'],
  ...['buydomains.com', 'uniregistry.com', 'cashparking.com', 'smartname.com', 'voodoo.com'],
  ...['fabulous.com', 'skenzo.com', 'trafficz.com', 'domainsponsor.com', 'rookmedia.net'],
  ...['ztomy.com', 'parking.godaddy.com', 'atom.com'],
  ...['brandbucket.com', 'squadhelp.com', 'domainnameshop.com', 'nameshift.com', 'dropcatch.com'],
];

/** Phrases of short pages that park or offer a domain. */
export const PARKING_PHRASES: readonly RegExp[] = [
  /\b(?:this|the) (?:web ?site|web ?page|domain|domain name) (?:name )?(?:\S{1,80} )?(?:is|may be|could be) (?:now )?(?:for sale|available for (?:sale|purchase))\b/iu,
  /\bbuy this (?:domain|website)\b/iu,
  /\bdomain (?:name )?(?:is )?for sale\b/iu,
  /\b(?:domain|page|site) (?:name )?(?:is|has been) parked\b/iu,
  /\bparked (?:free|domain|page|by|at|with)\b/iu,
  /\b(?:make|submit) an offer (?:on|for) this domain\b/iu,
  /\bfuture home of something quite cool\b/iu,
  /\bdiese (?:domain|webseite) (?:steht zum verkauf|ist geparkt)\b/iu,
  /\bce (?:nom de )?domaine est (?:à vendre|en vente)\b/iu,
  /\beste dominio está (?:en venta|aparcado)\b/iu,
  /\bdomain (?:has )?expired\b/iu,
];

/** Phrases of the default pages of servers, and of hosting accounts that ended. */
export const PLACEHOLDER_PHRASES: readonly RegExp[] = [
  /\bwelcome to nginx\b/iu,
  /\bapache2? (?:\S{1,20} ){0,2}(?:default|test) page\b/iu,
  /^\s*(?:IIS windows(?: server)?|it works!)\s*$/iu,
  /\baccount (?:has been )?suspended\b/iu,
  /\bthis (?:site|website) (?:has been|is) (?:suspended|disabled|deactivated)\b/iu,
  /\bdefault web ?site page\b/iu,
  /^index of \//iu,
];
