import { column, readOnly, recordFields } from './field.ts';
import { personFields, personRelations } from './person.ts';
import { type Resource, resource } from './resource.ts';

/** The people at a company: person records with their title there, and since when. */
function companyPerson(name: string, title: string, link: string, companyColumn: string): Resource {
  return resource({
    name,
    scope: 'people',
    title,
    table: `(SELECT t.id, t.name, t.name_folded, t.first_name, t.last_name, t.role, t.founded_count,
        t.location, t.countries, t.created_at, t.updated_at, coalesce(j.title, t.title) AS title, j.since,
        j.${companyColumn} AS company_id
      FROM ${link} j JOIN venture.person t ON t.id = j.person_id
      WHERE j.deleted_at IS NULL AND t.deleted_at IS NULL)`,
    live: () => 'true',
    recordCall: '/persons/{id}',
    fields: recordFields([
      ...personFields(readOnly('Title', 'text', 'title')),
      column('Since', 'date', 'since', { sortable: true }),
    ]),
    relations: personRelations,
  });
}

export const startupPerson = companyPerson(
  'startupPerson',
  'Person at a startup',
  'venture.startup_person',
  'startup_id',
);

export const fundPerson = companyPerson(
  'fundPerson',
  'Person at a fund',
  'venture.fund_person',
  'fund_id',
);
