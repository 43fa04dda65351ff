import { countryName, personRoles } from '@vcds/venture-model';
import { column, multiValued, type ResourceField, readOnly, recordFields } from './field.ts';
import { type Relation, resource } from './resource.ts';

/** The fields of a person, with the title taken from `title`. */
export const personFields = (title: ResourceField): readonly ResourceField[] => [
  column('Name', 'text', 'name', { sortable: true, folded: 'name_folded' }),
  readOnly('FirstName', 'text', 'first_name'),
  readOnly('LastName', 'text', 'last_name'),
  column('Role', 'closed', 'role', { closed: personRoles }),
  title,
  column('Location', 'text', 'location'),
  multiValued('Country', 'text', 'countries', { joined: true, canonical: countryName }),
];

export const personRelations: readonly Relation[] = [
  {
    name: 'Startups',
    description: 'The companies the person is at, with title and since when.',
    kind: 'records',
    target: 'startup',
    many: true,
    from: (row) => `FROM venture.startup_person j JOIN venture.startup t ON t.id = j.startup_id
      WHERE j.person_id = ${row}.id AND j.deleted_at IS NULL AND t.deleted_at IS NULL`,
    extra: [
      ['Title', 'j.title'],
      ['Since', 'j.since'],
    ],
    orderBy: 't.name COLLATE venture.text_order, t.id',
  },
  {
    name: 'Funds',
    description: 'The funds whose team the person is on, with title and since when.',
    kind: 'records',
    target: 'fund',
    many: true,
    from: (row) => `FROM venture.fund_person j JOIN venture.fund t ON t.id = j.fund_id
      WHERE j.person_id = ${row}.id AND j.deleted_at IS NULL AND t.deleted_at IS NULL`,
    extra: [
      ['Title', 'j.title'],
      ['Since', 'j.since'],
    ],
    orderBy: 't.name COLLATE venture.text_order, t.id',
  },
];

/** A founder or investor (docs/spec/resources.md 4.7). */
export const person = resource({
  name: 'person',
  scope: 'people',
  title: 'Person',
  table: 'venture.person',
  fields: recordFields(personFields(readOnly('Title', 'text', 'title'))),
  relations: personRelations,
});
