/** A text as a literal of the query language. */
export const quoteText = (text: string): string => `'${text.replaceAll("'", "''")}'`;
