import { STATUS_CODES } from 'node:http';
import type { OperationObject, PathsObject, ReferenceObject, ResponseObject } from './types.ts';

type Responses = Record<string, ResponseObject | ReferenceObject>;

/**
 * Moves each response that several operations have into the components, and refers to it there.
 * Components are named by the status: `BadRequest`, `BadRequest2`.
 */
export function shareResponses(paths: PathsObject): {
  readonly paths: PathsObject;
  readonly responses: Readonly<Record<string, ResponseObject>>;
} {
  const counts = new Map<string, number>();
  changeOperations(paths, (operation) => {
    for (const [status, response] of Object.entries(operation.responses as Responses)) {
      const key = keyOf(status, response);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    return operation;
  });
  const names = new Map<string, string>();
  const responses: Record<string, ResponseObject> = {};
  const shared = changeOperations(paths, (operation) => ({
    ...operation,
    responses: Object.fromEntries(
      Object.entries(operation.responses as Responses).map(([status, response]) => {
        const key = keyOf(status, response);
        if ('$ref' in response || (counts.get(key) ?? 0) < 2) return [status, response];
        const name = names.get(key) ?? newName(status, responses);
        names.set(key, name);
        responses[name] = response;
        return [status, { $ref: `#/components/responses/${name}` }];
      }),
    ),
  }));
  return { paths: shared, responses };
}

function changeOperations(
  paths: PathsObject,
  change: (operation: OperationObject) => OperationObject,
): PathsObject {
  return Object.fromEntries(
    Object.entries(paths).map(([path, item]: [string, object]) => [
      path,
      Object.fromEntries(
        Object.entries(item).map(([name, member]) => [
          name,
          typeof member === 'object' && 'responses' in member ? change(member) : member,
        ]),
      ),
    ]),
  );
}

function keyOf(status: string, response: ResponseObject | ReferenceObject): string {
  return `${status} ${JSON.stringify(response)}`;
}

function newName(status: string, taken: object): string {
  const name = (STATUS_CODES[status] ?? `Status${status}`).replaceAll(/[^A-Za-z]/g, '');
  let number = 1;
  while (`${name}${number === 1 ? '' : number}` in taken) number++;
  return `${name}${number === 1 ? '' : number}`;
}
