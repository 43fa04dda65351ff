/** Sectors: industry tags that occur together, and suffixes of the names of companies. */
import { list, table } from './table.ts';

export interface Sector {
  readonly tags: readonly string[];
  readonly descriptors: readonly string[];
}

/** Rows: weight;tags, the most frequent first;descriptors. */
const ROWS = table(`
16;Artificial Intelligence|Data Analytics|Machine Learning|Cybersecurity|Developer Tools|
  Cloud Infrastructure|Computer Vision|Natural Language Processing|Open Source;Data|Analytics
14;Fintech|Payments|Lending|Banking|Insurtech|Wealth Management|Personal Finance|Accounting|
  Regtech;Finance|Pay
13;SaaS|Enterprise Software|Productivity|Human Resources|Marketing Technology|Sales Enablement|
  Recruiting|Collaboration|Customer Support|Legal Technology|Procurement;Flow|Desk
11;Health Care|Digital Health|Medical Devices|Telemedicine|Diagnostics|Mental Health|
  Hospital Software|Elder Care;Health|Care
8;E-Commerce|Marketplace|Retail Technology|Direct to Consumer|Fashion|Second-Hand|
  Beauty, Wellness and Fitness|Luxury Goods;Commerce|Retail
7;Climate Tech|Renewable Energy|Energy Storage|Solar|Circular Economy|Smart Grid|Carbon Removal|
  Wind Power|Water Technology|Nuclear Energy;Energy|Climate
6;Biotechnology|Drug Discovery|Genomics|Pharmaceuticals|Bioinformatics|Synthetic Biology|
  Neuroscience;Bio|Therapeutics
6;Mobility|Logistics|Electric Vehicles|Supply Chain|Last-Mile Delivery|Autonomous Vehicles|
  Fleet Management|Aviation|Maritime;Mobility|Logistics
5;Gaming|Media|Creator Economy|Music|Video|Social Network|Sports|Advertising|Virtual Reality|
  Publishing|Augmented Reality|Events;Games|Media
5;Robotics|Manufacturing|Industrial Automation|Internet of Things|Semiconductors|3D Printing|
  Sensors|Drones|Advanced Materials|Photonics;Robotics|Instruments
4;Food Technology|Agriculture|Alternative Proteins|Precision Farming|Food Delivery|
  Restaurant Technology|Vertical Farming|Aquaculture|Pet Care;Foods|Farms
4;Education|E-Learning|Corporate Training|Language Learning|Early Childhood|Student Services;
  Learning|Academy
4;Real Estate|Construction|Property Management|Smart Home|Facility Management|Hospitality|
  Co-Living;Home|Spaces
3;Travel|Tourism|Ticketing|Outdoor;Travel|Trails
3;Blockchain|Digital Assets|Decentralised Finance|Web3;Chain|Custody
2;Space Technology|Satellites|Earth Observation|Telecommunications|Quantum Computing|Defense;Space|
  Orbital
2;Govtech|Social Impact|Smart City|Privacy|Identity|Public Safety|Nonprofit;Civic|Public
`);

export const SECTORS: readonly Sector[] = ROWS.map(([, tags = [], descriptors = []]) => {
  return { tags, descriptors };
});
export const SECTOR_WEIGHTS: readonly number[] = ROWS.map(([weight]) => Number(weight));

/** Tags that companies of any sector have; the first ones are the most frequent. */
export const COMMON_TAGS = list(
  'B2B|SaaS|Artificial Intelligence|Mobile Apps|B2C|Sustainability|API|Hardware|Subscription',
);
