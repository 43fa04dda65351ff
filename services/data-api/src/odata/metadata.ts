/** The description of the OData service: CSDL 4.0 as XML, and the service document. */
import type { ValueType } from '@vcds/odata-query';
import type { ResourceField } from '../resources/index.ts';
import { ENTITY_SETS, type EntitySet, type Navigation, navigationsOf, targetOf } from './sets.ts';

const NAMESPACE = 'VentureCapital';

/** Closed values are answered as labels; an instant has milliseconds. */
const EDM_TYPES: Readonly<Record<Exclude<ValueType, 'keywords'>, string>> = {
  uuid: 'Edm.Guid',
  text: 'Edm.String',
  closed: 'Edm.String',
  year: 'Edm.Int16',
  integer: 'Edm.Int32',
  usd: 'Edm.Int64',
  number: 'Edm.Double',
  date: 'Edm.Date',
  instant: 'Edm.DateTimeOffset',
  boolean: 'Edm.Boolean',
};

/** `$metadata`; it needs no key. */
export const METADATA = `<?xml version="1.0" encoding="UTF-8"?>
<edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Version="4.0">
  <edmx:DataServices>
    <Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="${NAMESPACE}">
${ENTITY_SETS.map(entityType).join('\n')}
      <EntityContainer Name="Container">
${ENTITY_SETS.map(entitySet).join('\n')}
      </EntityContainer>
    </Schema>
  </edmx:DataServices>
</edmx:Edmx>
`;

/** The service document at this root. */
export function serviceDocument(root: string): string {
  return JSON.stringify({
    '@odata.context': `${root}/$metadata`,
    value: ENTITY_SETS.map(({ name }) => ({ name, kind: 'EntitySet', url: name })),
  });
}

function entityType(set: EntitySet): string {
  return `      <EntityType Name="${set.type}">
        <Key>
          <PropertyRef Name="Id"/>
        </Key>
${set.resource.defaultFields.map(property).join('\n')}
${navigationsOf(set).map(navigation).join('\n')}
      </EntityType>`;
}

function property({ name, type, many, notNull }: ResourceField): string {
  if (type === 'keywords') throw new TypeError(`${name} is no property.`);
  const edm = EDM_TYPES[type];
  const written = many === true ? `Collection(${edm})` : edm;
  const isRequired = many === true || notNull === true;
  const precision = type === 'instant' ? ' Precision="3"' : '';
  const nullable = isRequired ? ' Nullable="false"' : '';
  return `        <Property Name="${name}" Type="${written}"${nullable}${precision}/>`;
}

function navigation(relation: Navigation): string {
  const type = `${NAMESPACE}.${targetOf(relation).type}`;
  const written = relation.many ? `Collection(${type})` : type;
  return `        <NavigationProperty Name="${relation.name}" Type="${written}"/>`;
}

function entitySet(set: EntitySet): string {
  const bindings = navigationsOf(set).map(
    (relation) =>
      `          <NavigationPropertyBinding Path="${relation.name}" Target="${targetOf(relation).name}"/>`,
  );
  return `        <EntitySet Name="${set.name}" EntityType="${NAMESPACE}.${set.type}">
${bindings.join('\n')}
        </EntitySet>`;
}
