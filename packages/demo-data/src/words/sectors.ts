/** Sectors: what companies make, and the industry tags that occur together. */
import { table } from './table.ts';

export interface Sector {
  readonly weight: number;
  /** The first ones are the most frequent. */
  readonly tags: readonly string[];
  /** Words that some companies of the sector have after their name. */
  readonly descriptors: readonly string[];
  readonly products: readonly string[];
}

/** weight;tags;descriptors;products */
const ROWS = `
16;Artificial Intelligence|Data Analytics|Machine Learning|Cybersecurity|Developer Tools|
  Cloud Infrastructure|Computer Vision|Natural Language Processing|Open Source;Data|Analytics;
  a query engine for messy logs|a test bench for language models|
  access control for build pipelines|an index over images and scans
14;Fintech|Payments|Lending|Banking|Insurtech|Wealth Management|Personal Finance|Accounting|
  Regtech;Finance|Pay;instant settlement between accounts|credit scoring for thin files|
  a ledger for small firms|pay-by-link invoices
13;SaaS|Enterprise Software|Productivity|Human Resources|Marketing Technology|Sales Enablement|
  Recruiting|Collaboration|Customer Support|Legal Technology|Procurement;Flow|Desk;
  a shared inbox with memory|shift plans that people can trade|
  contract drafting with clause history|a calendar for large projects
11;Health Care|Digital Health|Medical Devices|Telemedicine|Diagnostics|Mental Health|
  Hospital Software|Elder Care;Health|Care;remote consultations|a patch that follows heart rhythm|
  a bedside checklist|guided exercises after surgery
8;E-Commerce|Marketplace|Retail Technology|Direct to Consumer|Fashion|Second-Hand|
  Beauty, Wellness and Fitness|Luxury Goods;Commerce|Retail;a market for repaired goods|
  made-to-measure clothing|shelf cameras for shops|a refill service
7;Climate Tech|Renewable Energy|Energy Storage|Solar|Circular Economy|Smart Grid|Carbon Removal|
  Wind Power|Water Technology|Nuclear Energy;Energy|Climate;heat stores made of sand|
  rooftop panels on lease|leak detection for water mains|a market for flexible load
6;Biotechnology|Drug Discovery|Genomics|Pharmaceuticals|Bioinformatics|Synthetic Biology|
  Neuroscience;Bio|Therapeutics;enzymes found by simulation|a screen for rare diseases|
  cell lines on order|long-read sequencing kits
6;Mobility|Logistics|Electric Vehicles|Supply Chain|Last-Mile Delivery|Autonomous Vehicles|
  Fleet Management|Aviation|Maritime;Mobility|Logistics;charging posts in lamp posts|
  load sharing between hauliers|cargo bikes on subscription|a tower for container yards
5;Gaming|Media|Creator Economy|Music|Video|Social Network|Sports|Advertising|Virtual Reality|
  Publishing|Augmented Reality|Events;Games|Media;a co-operative puzzle game|editing by transcript|
  royalty statements for musicians|a stage for live readings
5;Robotics|Manufacturing|Industrial Automation|Internet of Things|Semiconductors|3D Printing|
  Sensors|Drones|Advanced Materials|Photonics;Robotics|Instruments;grippers for soft goods|
  sensors that live on vibration|printed spare parts|a controller for old machine tools
4;Food Technology|Agriculture|Alternative Proteins|Precision Farming|Food Delivery|
  Restaurant Technology|Vertical Farming|Aquaculture|Pet Care;Foods|Farms;protein from field beans|
  soil probes|meal kits for canteens|a till for food trucks
4;Education|E-Learning|Corporate Training|Language Learning|Early Childhood|Student Services;
  Learning|Academy;lessons as short dialogues|a lab notebook for schools|
  reading practice with a patient voice|skill maps for apprentices
4;Real Estate|Construction|Property Management|Smart Home|Facility Management|Hospitality|
  Co-Living;Home|Spaces;a register of building parts|deposit accounts for tenants|
  site diaries by voice|timber walls from a robot line
3;Travel|Tourism|Ticketing|Outdoor;Travel|Trails;night train bookings|trail maps that work offline|
  tickets that can be handed on|quiet stays near lakes
3;Blockchain|Digital Assets|Decentralised Finance|Web3;Chain|Custody;custody with several keys|
  proofs of origin for goods|tokenised receivables|a wallet for co-operatives
2;Space Technology|Satellites|Earth Observation|Telecommunications|Quantum Computing|Defense;Space|
  Orbital;small thrusters|crop images by radar|ground stations on rent|error correction for qubits
2;Govtech|Social Impact|Smart City|Privacy|Identity|Public Safety|Nonprofit;Civic|Public;
  forms that fill themselves|consent records|parking that pays for trees|donation receipts
`;

export const SECTORS: readonly Sector[] = table(ROWS).map(
  ([weight, tags = [], descriptors = [], products = []]) => ({
    weight: Number(weight),
    tags,
    descriptors,
    products,
  }),
);

/** Tags that companies of any sector have; the first ones are the most frequent. */
export const COMMON_TAGS = [
  ...['B2B', 'SaaS', 'Artificial Intelligence', 'Mobile Apps', 'B2C', 'Sustainability'],
  ...['API', 'Hardware', 'Subscription', 'Low-Code'],
];
