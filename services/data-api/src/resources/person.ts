import { countryName, personRoles } from '@vcds/venture-model';
import { column, multiValued, type ResourceField, readOnly, recordFields } from './field.ts';
import { companiesOfPerson } from './relations.ts';
import { type Relation, resource } from './resource.ts';

/** The fields of a person, with the title taken from `title`. */
export const personFields = (title: ResourceField): readonly ResourceField[] => [
  column('Name', 'text', 'name', { sortable: true, notNull: true, folded: 'name_folded' }),
  readOnly('FirstName', 'text', 'first_name'),
  readOnly('LastName', 'text', 'last_name'),
  column('Role', 'closed', 'role', { closed: personRoles }),
  title,
  column('FoundedCount', 'integer', 'founded_count', { sortable: true }),
  column('Location', 'text', 'location'),
  multiValued('Country', 'text', 'countries', {
    joined: (row) => `${row}.countries`,
    canonical: countryName,
  }),
];

export const personRelations: readonly Relation[] = [
  companiesOfPerson('startup', 'The companies the person is at, with title and since when.'),
  companiesOfPerson('fund', 'The funds whose team the person is on, with title and since when.'),
];

/** A founder or investor (docs/spec/resources.md 4.7). */
export const person = resource({
  name: 'person',
  scope: 'people',
  title: 'Person',
  table: 'venture.person',
  recordCall: '/persons/{id}',
  fields: recordFields(personFields(readOnly('Title', 'text', 'title'))),
  relations: personRelations,
});
