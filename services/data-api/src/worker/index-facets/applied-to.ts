/**
 * SQL of the position of the log up to which every change is applied: deleted rows before it are not
 * read again while an old snapshot keeps them from being vacuumed.
 */
export const APPLIED_TO = '(SELECT coalesce(max(s.applied_to), 0) FROM venture.facet_state AS s)';
