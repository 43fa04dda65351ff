/** The column with the current value of a record's `each`. */
export const EACH_COLUMN = 'it';
