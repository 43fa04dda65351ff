import { personRoles } from '@vcds/venture-model';
import { recordTable } from './kinds.ts';

export const personRecord = recordTable({
  type: 'person',
  table: 'person',
  doc: 'A founder or investor.',
  fields: {
    Name: { kind: 'text', required: true, max: 500, column: 'name', doc: 'The full name.' },
    FirstName: { kind: 'text', max: 500, column: 'first_name', doc: 'Given name.' },
    LastName: { kind: 'text', max: 500, column: 'last_name', doc: 'Family name.' },
    Role: {
      kind: 'closed',
      closed: personRoles,
      column: 'role',
      doc: 'founder, investor or both.',
    },
    Title: { kind: 'text', max: 500, column: 'title', doc: 'The title of the person.' },
    Location: { kind: 'place', term: 'city', column: 'location', doc: 'City.' },
    Countries: { kind: 'places', term: 'country', column: 'countries', doc: 'Countries.' },
    SourceUrl: { kind: 'url', max: 2000, column: 'source_url', doc: 'Where the record was read.' },
  },
});
