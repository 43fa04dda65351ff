/** What is said of funds. */

/** Words that funds of each type carry after their name. */
export const fundSuffixes: Readonly<Record<string, readonly string[]>> = Object.freeze({
  VentureFund: words('Ventures|Capital|Venture Partners|Partners|Fund|Kapital|Invest|Seed'),
  Accelerator: words('Accelerator|Launchpad|Runway|Cohort|Startup Programme'),
  PrivateEquity: words('Equity|Buyout Partners|Growth Equity|Private Capital'),
  FundOfFunds: words('Fund of Funds|Allocation Partners|Institutional'),
  Corporate: words('Corporate Ventures|Industrial Invest|Strategic'),
  AngelGroup: words('Angels|Angel Circle|Business Angels'),
  FamilyOffice: words('Family Office|Family Holdings|Legacy Capital'),
  Studio: words('Studio|Foundry|Venture Builders'),
  Public: words('Public Fund|Innovation Agency|Development Fund'),
  Other: words('Syndicate|Grants|Endowment|Club'),
});

/** First words of funds, before the second. */
export const fundStarts: readonly string[] = words(
  'Alder|Basalt|Bellflower|Birchmoor|Brackish|Brindle|Cairn|Calder|Candlewick|Chalkstream|Cloudberry|Cobble|Corvid|Cowslip|Dovetail|Drumlin|Eiderdown|Elmwater|Esker|Fallow|Farthing|Fennel|Firebrick|Foxglove|Galloway|Gannet|Gantry|Gneiss|Goldcrest|Greywacke|Halyard|Harrier|Hawser|Heathrush|Hornbeam|Icefall|Inglenook|Ironwood|Jackdaw|Jetsam|Kestrel|Kittiwake|Lamplight|Lapwing|Lodestar|Longshore|Mallow|Merlin|Millrace|Moorhen|Nightjar|Nutmeg|Oakmoss|Oxbow|Palisade|Parsley|Penfold|Petrel|Pinnace|Plover|Quince|Ragwort|Ravine|Redstart|Saltmarsh|Sandpiper|Saxifrage|Scree|Selvedge|Shearwater|Skerry|Snowdrop|Sorghum|Starling|Tamarack|Tarn|Teasel|Tidewrack|Turnstone|Undertow|Vetch|Wagtail|Wheatear|Whinstone|Whitebeam|Windrose|Wolfram|Woodruff|Yarrow|Zephyr',
);

/** Second words of funds; together with the first they are a name before the suffix. */
export const fundSeconds: readonly string[] = words(
  'Anchorage|Bank|Bay|Bend|Bluff|Bough|Brow|Causeway|Clay|Cross|Dell|Dike|Down|Edge|Fell|Ferry|Field|Ford|Garth|Glade|Hatch|Haven|Head|Heath|Hollow|Hythe|Island|Keep|Knoll|Landing|Lane|Ledge|Lodge|Mark|Mead|Moor|Mount|Narrows|Neck|Pass|Peak|Pier|Point|Reach|Ridge|Rise|Rock|Row|Sands|Shore|Slip|Sound|Spit|Stone|Strand|Tower|Vale|Wharf|Yard',
);

/** Editorial groups, the most used first. One holds a comma, so that lists have to quote it. */
export const fundGroups: readonly string[] = words(
  'Early Stage Specialists|Emerging Managers|Climate Investors|Deep Tech Backers|Most Active|University Spin-Out Funds|Impact First|Operator-Led|Cross-Border|Health Investors|Founders Backing Founders|First Cheque|Women-Led Firms|Fintech Specialists|Growth Stage Leaders|Nordic and Baltic Circle|Patient, Evergreen Capital|Regional Champions|Corporate Arms|Public Money|Solo General Partners|Food and Land|Mission Lenders|Secondary Buyers',
);

/** How a fund says it works. */
export const fundManners: readonly string[] = words(
  'takes a board seat and keeps it|decides within ten working days|writes the first cheque and follows on|brings a bench of operators|reserves half of each fund for follow-on rounds|works with two new teams a quarter|prefers to lead|prefers to join a syndicate|publishes its terms|visits every team before it decides|shares its research notes|lends its engineers for a month',
);

/** Titles of people on fund teams. */
export const fundTitles: readonly string[] = words(
  'General Partner|Partner|Managing Partner|Principal|Investment Manager|Associate|Venture Partner|Operating Partner|Analyst|Head of Platform|Chief Financial Officer|Scout',
);

/** Titles of founders, in the order of their slots. */
export const founderTitles: readonly (readonly string[])[] = [
  words('Founder & CEO|Co-Founder & CEO|Co-Founder & Chief Executive|Founder'),
  words('Co-Founder & CTO|Co-Founder & Chief Scientist|Co-Founder & Chief Product Officer'),
  words('Co-Founder & COO|Co-Founder|Co-Founder & Chief Designer'),
  words('Co-Founder|Co-Founder & Head of Research'),
];

/** Titles of people who join later. */
export const hireTitles: readonly string[] = words(
  'Chief Financial Officer|Chief Revenue Officer|VP Engineering|Head of Marketing|Head of People|General Counsel|VP Sales|Chief Medical Officer',
);

/** Publishers of news, all invented. */
export const publishers: readonly string[] = words(
  'Ledger & Lantern|The Tuesday Prospectus|Seedling Gazette|Kapitalnotiz|Harbour Street Wire|La Feuille des Fondateurs|Norrsken Börsblad|Cap Table Courier|Term Sheet Almanac|El Cuaderno Emprendedor|Runway Review|The Quiet Quarter|Founders’ Field Notes|Morning Dilution|Rolling Close|Gründerrundschau|Il Taccuino d’Impresa|Pro Rata Post|The Vesting Times|Cliffside Business Daily|Dry Powder Digest|Pacific Preseed|O Diário da Rodada|Second Close Weekly',
);

function words(row: string): readonly string[] {
  return Object.freeze(row.split('|'));
}
