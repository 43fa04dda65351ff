import { CATALOGUE } from '../catalogue.ts';
import { MAP, object, oneOf } from '../schemas.ts';
import type { Tool } from './tool.ts';

const { collections, dimensions, signals } = CATALOGUE;

/** The texts that explain one part of the data, also served as resources. */
export const TOPICS: Readonly<Record<string, object>> = {
  ...Object.fromEntries(
    Object.entries(collections).map(([name, { path: _, ...rest }]) => [name, rest]),
  ),
  dimensions: Object.fromEntries(dimensions.map(({ id, ...rest }) => [id, rest])),
  changes: Object.fromEntries(signals.map(({ name, ...rest }) => [name, rest])),
};

/** Explains fields, dimensions and types of change. */
export const describeData: Tool = {
  name: 'describe_data',
  title: 'Describe the data',
  description:
    'Fields of a collection with types, uses and closed values; dimensions with their values; types of change. ' +
    'Free, no call of the API. Example: {"topic":"dimensions"}.',
  input: object({ topic: oneOf('Which part.', Object.keys(TOPICS)) }, ['topic']),
  output: {
    type: 'object',
    properties: { topic: { type: 'string' }, about: MAP },
    required: ['topic', 'about'],
  },
  metered: false,
  answer: ({ topic }) => ({ topic, about: TOPICS[String(topic)] ?? {} }),
};
