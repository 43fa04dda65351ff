/** Bounds of the work on one page; anything beyond them is ignored. */
export const BOUNDS = {
  /** Characters of HTML. */
  htmlLength: 2 * 1024 * 1024,
  /** Characters that the parser receives at once. */
  chunkLength: 8_192,
  elements: 100_000,
  /** Open elements; the page ends at the first one beyond. */
  depth: 512,
  /** Elements whose text is collected at the same time, and the characters of each. */
  captures: 16,
  captureLength: 2_000,
  /** Entries of each list: meta elements, links, anchors, images. */
  listed: 5_000,
  attributeLength: 20_000,
  /** Characters of the visible text. */
  textLength: 200_000,
  jsonLdBlocks: 50,
  jsonLdLength: 512 * 1024,
  /** Objects of JSON-LD or items of microdata. */
  things: 5_000,
  thingDepth: 12,
  /** Values of one property. */
  values: 50,
  /** Values that all rules read together, and their characters: a reference may be read very often. */
  valuesRead: 50_000,
  charactersRead: 4 * 1024 * 1024,
  nameLength: 200,
  titleLength: 500,
  descriptionLength: 5_000,
  urlLength: 2_000,
  socialProfiles: 20,
} as const;
