import type { ErrorCode } from '@vcds/service-kit/api-errors';
import { ERROR_SCHEMA, errorResponses } from './error-responses.ts';
import { HEADERS } from './headers.ts';
import type { Schema } from './schemas.ts';
import { SECURITY_SCHEMES } from './security.ts';
import { shareRepeated } from './share-repeated.ts';
import type { OpenAPIObject, PathsObject } from './types.ts';

/** The version of the interface description (docs/spec/addresses.md 1.7). */
const VERSION = '2.1.0';
/** The placeholder of the public address of the documentation. */
const DOCUMENTATION = 'https://access.vcds.example/docs';

/** The parts of a description that differ between the services. */
export interface DocumentInfo {
  readonly title: string;
  readonly description: string;
  /** The placeholder of the public address; the access service replaces it when it serves the file. */
  readonly server: string;
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: PathsObject;
  readonly schemas: Readonly<Record<string, Schema>>;
  /** Errors of requests that are of no operation: another path or method, broken HTTP. */
  readonly otherErrors?: readonly ErrorCode[];
}

/** The OpenAPI 3.0.3 document of a service, with the components that both services share. */
export function apiDocument(info: DocumentInfo): OpenAPIObject {
  const { title, description, server, tags, paths, schemas, otherErrors = [] } = info;
  const { shared, paths: written } = shareRepeated(paths);
  return {
    openapi: '3.0.3',
    info: {
      title,
      version: VERSION,
      description,
      license: { name: 'All rights reserved', url: DOCUMENTATION },
    },
    externalDocs: { url: DOCUMENTATION },
    servers: [{ url: server }],
    tags: [...tags],
    paths: written,
    ...(otherErrors.length > 0 && { 'x-other-errors': errorResponses(otherErrors) }),
    components: {
      ...shared,
      schemas: { ...schemas, Error: ERROR_SCHEMA },
      headers: { ...HEADERS },
      securitySchemes: { ...SECURITY_SCHEMES },
    },
  };
}

/** The text of the file of a description: without the components that nothing refers to. */
export function documentText(document: OpenAPIObject): string {
  const { components = {}, ...rest } = document;
  let used = components;
  // A component that is dropped may have been the only one that refers to another.
  for (let size = -1; size !== sizeOf(used); ) {
    size = sizeOf(used);
    used = withoutUnused(used, JSON.stringify([rest, used]));
  }
  return `${JSON.stringify({ ...rest, components: used }, null, 2)}\n`;
}

function sizeOf(components: object): number {
  return Object.values(components).flatMap((group) => Object.keys(group)).length;
}

function withoutUnused<T extends object>(components: T, text: string): T {
  const groups = Object.entries(components).map(([group, members]: [string, object]) => {
    const kept = Object.entries(members).filter(
      ([name]) => group === 'securitySchemes' || text.includes(`"#/components/${group}/${name}"`),
    );
    return [group, Object.fromEntries(kept)];
  });
  return Object.fromEntries(groups) as T;
}
