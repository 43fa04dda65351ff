import { OBSERVED_KINDS, OBSERVED_STATES } from '@vcds/venture-model';
import { namedValues, recordTable } from './kinds.ts';

export const observationRecord = recordTable({
  type: 'observation',
  table: 'observation',
  doc: 'An observation of the site or an account of a company at occurredAt, which is required.',
  dated: true,
  fields: {
    Company: { kind: 'company', identity: true, required: true, doc: 'The startup or fund.' },
    Kind: {
      kind: 'closed',
      closed: namedValues(...OBSERVED_KINDS),
      identity: true,
      required: true,
      column: 'kind',
      doc: 'site, or social: an account in a social network.',
    },
    Url: {
      kind: 'page',
      identity: true,
      required: true,
      max: 2000,
      column: 'url',
      doc: 'The page. A site is identified by its host, an account by host and path: at most 2,600 bytes of UTF-8.',
    },
    State: {
      kind: 'closed',
      closed: namedValues(...OBSERVED_STATES),
      required: true,
      column: 'state',
      doc: 'alive, parked (the domain is for sale) or dead.',
    },
    LastPostAt: {
      kind: 'instant',
      column: 'last_post_at',
      doc: 'The date of the newest post, not after occurredAt.',
    },
  },
});
