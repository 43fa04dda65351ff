/**
 * Industry tags in sectors. A company's tags come mostly from one sector, the first of a row most
 * often, so that tags go together as they do in life. Each sector has what its companies make and
 * for whom, in words that descriptions are put together from.
 */
export interface Sector {
  /** How often companies are of this sector, beside the others. */
  readonly weight: number;
  readonly tags: readonly string[];
  /** Words that companies of this sector, and no other, carry after their name. */
  readonly descriptors: readonly string[];
  readonly products: readonly string[];
  readonly customers: readonly string[];
}

const sector = (
  weight: number,
  tags: string,
  descriptors: string,
  products: string,
  customers: string,
): Sector =>
  Object.freeze({
    weight,
    tags: tags.split('|'),
    descriptors: descriptors.split('|'),
    products: products.split('|'),
    customers: customers.split('|'),
  });

/** Tags that companies of any sector carry. */
export const commonTags: readonly string[] =
  'B2B|SaaS|Artificial Intelligence|Mobile Apps|B2C|Sustainability|API|Hardware|Subscription|Low-Code'.split(
    '|',
  );

export const sectors: readonly Sector[] = [
  sector(
    16,
    'Artificial Intelligence|Data Analytics|Machine Learning|Cybersecurity|Developer Tools|Cloud Infrastructure|Computer Vision|Natural Language Processing|Open Source',
    'Data|Analytics|Security|Cloud',
    'a query engine for messy logs|a test bench for language models|access control for build pipelines|an index over images and scans|a scheduler for batch workloads|anomaly alerts for data teams|a code review assistant|encrypted backups',
    'platform teams|data engineers|security officers|software vendors|research groups|online publishers',
  ),
  sector(
    14,
    'Fintech|Payments|Lending|Banking|Insurtech|Wealth Management|Personal Finance|Accounting|Regtech',
    'Finance|Pay|Capital Systems|Ledgers',
    'instant settlement between accounts|credit scoring for thin files|a ledger for small firms|pay-by-link invoices|parametric cover for crops and cargo|savings plans with round-ups|audit trails for compliance desks|payroll advances',
    'freelancers|regional banks|online merchants|brokers|family businesses|first-time borrowers',
  ),
  sector(
    13,
    'SaaS|Enterprise Software|Productivity|Human Resources|Marketing Technology|Sales Enablement|Recruiting|Collaboration|Customer Support|Legal Technology|Procurement',
    'Flow|Desk|Teams|Office',
    'a shared inbox with memory|shift plans that people can trade|contract drafting with clause history|a calendar for large projects|interview kits|a pipeline view for field sales|supplier scorecards|meeting notes that become tasks',
    'mid-sized companies|sales teams|law firms|shift workers|agencies|purchasing departments',
  ),
  sector(
    11,
    'Health Care|Digital Health|Medical Devices|Telemedicine|Diagnostics|Mental Health|Hospital Software|Elder Care',
    'Health|Care|Medical',
    'remote consultations|a patch that follows heart rhythm|a bedside checklist|guided exercises after surgery|blood tests by post|a voice diary for anxiety|bed planning for wards|fall alerts for homes',
    'clinics|patients with chronic conditions|nurses|hospital groups|carers|insurers',
  ),
  sector(
    8,
    'E-Commerce|Marketplace|Retail Technology|Direct to Consumer|Fashion|Second-Hand|Beauty, Wellness and Fitness|Luxury Goods',
    'Commerce|Retail|Wear|Goods',
    'a market for repaired goods|made-to-measure clothing|shelf cameras for shops|a refill service|returns without boxes|limited runs from small workshops|stock forecasts|a fitting room on the phone',
    'independent shops|families|brands|collectors|department stores|students',
  ),
  sector(
    7,
    'Climate Tech|Renewable Energy|Energy Storage|Solar|Circular Economy|Smart Grid|Carbon Removal|Wind Power|Water Technology|Nuclear Energy',
    'Energy|Climate|Power|Water',
    'heat stores made of sand|rooftop panels on lease|leak detection for water mains|a market for flexible load|mineralised carbon|inspection of turbine blades|home batteries|sorting lines for textiles',
    'grid operators|housing associations|cement works|municipalities|farmers|factories',
  ),
  sector(
    6,
    'Biotechnology|Drug Discovery|Genomics|Pharmaceuticals|Bioinformatics|Synthetic Biology|Neuroscience',
    'Bio|Therapeutics|Genetics|Sciences',
    'enzymes found by simulation|a screen for rare diseases|cell lines on order|long-read sequencing kits|peptides taken by mouth|an atlas of tissue samples|yeast that makes pigments|implants read without wires',
    'pharmaceutical companies|university labs|trial sponsors|seed breeders|pathologists|contract manufacturers',
  ),
  sector(
    6,
    'Mobility|Logistics|Electric Vehicles|Supply Chain|Last-Mile Delivery|Autonomous Vehicles|Fleet Management|Aviation|Maritime',
    'Mobility|Logistics|Motion|Freight',
    'charging posts in lamp posts|load sharing between hauliers|cargo bikes on subscription|a tower for container yards|retrofit kits for vans|route plans for couriers|hull inspection by camera|seat sharing for commuters',
    'fleet operators|freight forwarders|commuters|port authorities|couriers|city councils',
  ),
  sector(
    5,
    'Gaming|Media|Creator Economy|Music|Video|Social Network|Sports|Advertising|Virtual Reality|Publishing|Augmented Reality|Events',
    'Games|Media|Sound|Interactive',
    'a co-operative puzzle game|editing by transcript|royalty statements for musicians|a stage for live readings|training data for clubs|audio guides|newsletters with memberships|rehearsal rooms in virtual reality',
    'players|independent musicians|clubs|publishers|film crews|fans',
  ),
  sector(
    5,
    'Robotics|Manufacturing|Industrial Automation|Internet of Things|Semiconductors|3D Printing|Sensors|Drones|Advanced Materials|Photonics',
    'Robotics|Instruments|Devices|Automation',
    'grippers for soft goods|sensors that live on vibration|printed spare parts|a controller for old machine tools|optical interconnects|drones that count stock|coatings against ice|weld inspection',
    'machine shops|plant managers|chip designers|warehouses|maintenance crews|foundries',
  ),
  sector(
    4,
    'Food Technology|Agriculture|Alternative Proteins|Precision Farming|Food Delivery|Restaurant Technology|Vertical Farming|Aquaculture|Pet Care',
    'Foods|Farms|Kitchen|Harvest',
    'protein from field beans|soil probes|meal kits for canteens|a till for food trucks|robots that weed|feed from seaweed|greenhouses in old halls|cat food made of insects',
    'growers|restaurants|canteens|supermarkets|fish farms|pet owners',
  ),
  sector(
    4,
    'Education|E-Learning|Corporate Training|Language Learning|Early Childhood|Student Services',
    'Learning|Academy|School',
    'lessons as short dialogues|a lab notebook for schools|reading practice with a patient voice|skill maps for apprentices|exam prep in small groups|a timetable that repairs itself',
    'teachers|universities|apprentices|parents|language learners|training departments',
  ),
  sector(
    4,
    'Real Estate|Construction|Property Management|Smart Home|Facility Management|Hospitality|Co-Living',
    'Home|Spaces|Building',
    'a register of building parts|deposit accounts for tenants|site diaries by voice|timber walls from a robot line|energy plans for old houses|keyless entry|shared flats with services|cleaning rosters for hotels',
    'landlords|site managers|architects|tenants|hotels|housing co-operatives',
  ),
  sector(
    3,
    'Travel|Tourism|Ticketing|Outdoor',
    'Travel|Trails|Tickets',
    'night train bookings|trail maps that work offline|tickets that can be handed on|quiet stays near lakes|group trips without spreadsheets|equipment rental at the station',
    'hikers|families|tour operators|festivals|small museums|cyclists',
  ),
  sector(
    3,
    'Blockchain|Digital Assets|Decentralised Finance|Web3',
    'Chain|Custody|Digital',
    'custody with several keys|proofs of origin for goods|tokenised receivables|a wallet for co-operatives|on-chain reporting|bridges between registers',
    'treasurers|exchanges|auditors|collectors|funds|game studios',
  ),
  sector(
    2,
    'Space Technology|Satellites|Earth Observation|Telecommunications|Quantum Computing|Defense',
    'Space|Orbital|Quantum|Signals',
    'small thrusters|crop images by radar|ground stations on rent|error correction for qubits|private networks for mines|a map of orbital debris',
    'satellite operators|ministries|research institutes|insurers|carriers|shipping lines',
  ),
  sector(
    2,
    'Govtech|Social Impact|Smart City|Privacy|Identity|Public Safety|Nonprofit',
    'Civic|Public|Trust',
    'forms that fill themselves|consent records|parking that pays for trees|donation receipts|credentials in a wallet|flood warnings|a help desk for town halls',
    'town halls|charities|citizens|rescue services|regulators|neighbourhood groups',
  ),
];

/** What descriptions say of how a company goes about it. */
export const qualities: readonly string[] =
  'without paperwork|in minutes rather than weeks|at a price that small teams can pay|with results that can be checked|on existing equipment|in six languages|with no training needed|one site at a time|with open interfaces|even where the network is poor|under a fixed monthly fee|together with local partners'.split(
    '|',
  );
