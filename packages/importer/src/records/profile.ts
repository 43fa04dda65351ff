import { operatingStatuses } from '@vcds/venture-model';
import { type FieldRow, namedValues } from './kinds.ts';

/** Texts a profile may hold at most, in characters. */
export const DESCRIPTION_MAX = 100_000;

/** The fields that companies and funds have in common. */
export const profileFields = {
  Name: { kind: 'text', required: true, max: 500, column: 'name', doc: 'The name in use.' },
  Website: { kind: 'site', max: 2000, column: 'website', doc: 'The site. Domain derives from it.' },
  Description: {
    kind: 'text',
    max: DESCRIPTION_MAX,
    column: 'description',
    doc: 'A description of the company.',
  },
  Identifiers: {
    kind: 'identifiers',
    column: 'identifiers',
    doc: 'Texts scheme:value, or objects of Scheme and Value. An upsert adds the one of Website.',
  },
  LogoUrl: { kind: 'url', max: 2000, column: 'logo_url', doc: 'An image.' },
  Founded: { kind: 'year', column: 'founded', doc: 'Year founded.' },
  Tags: { kind: 'terms', term: 'tag', column: 'tags', doc: 'Industry tags.' },
  Addresses: {
    kind: 'addresses',
    column: 'addresses',
    doc: 'Registered addresses, the main one first.',
  },
  City: { kind: 'place', term: 'city', doc: 'Short form of one address, with Region and Country.' },
  Region: { kind: 'place', term: 'region', doc: 'Short form of one address: state or province.' },
  Country: { kind: 'place', term: 'country', doc: 'Short form of one address.' },
  MembersCount: { kind: 'count', column: 'members_count', doc: 'Headcount.' },
  OperatingStatus: {
    kind: 'status',
    closed: operatingStatuses,
    doc: 'If absent, the stored status stays: only its own source changes or clears it.',
  },
  OperatingStatusSource: {
    kind: 'statusSource',
    closed: namedValues('inferred', 'owner', 'editor'),
    doc: 'Who set the status: inferred, owner or editor (default).',
  },
  SourceUrl: { kind: 'url', max: 2000, column: 'source_url', doc: 'Where the record was read.' },
} as const satisfies Readonly<Record<string, FieldRow>>;
