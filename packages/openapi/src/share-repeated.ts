import { STATUS_CODES } from 'node:http';
import type {
  ComponentsObject,
  OperationObject,
  ParameterObject,
  PathsObject,
  ReferenceObject,
  ResponseObject,
} from './types.ts';

type Shared = Pick<ComponentsObject, 'parameters' | 'responses'>;

/**
 * Moves the parameters and responses that several operations have to the components, and
 * refers to them. Components are named by the parameter and the status: `Top`, `BadRequest2`.
 */
export function shareRepeated(paths: PathsObject): { shared: Shared; paths: PathsObject } {
  const parameters = new Sharer<ParameterObject>('parameters');
  const responses = new Sharer<ResponseObject>('responses');
  const written = (operation: OperationObject): OperationObject => ({
    ...operation,
    ...(operation.parameters && {
      parameters: operation.parameters.map((part) => parameters.written(part, nameOf(part))),
    }),
    responses: mapValues(operation.responses, (part, status) =>
      responses.written(part, STATUS_CODES[status] ?? status),
    ),
  });
  for (const operation of Object.values(paths).flatMap((item) => Object.values(item))) {
    if (!isOperation(operation)) continue;
    for (const part of operation.parameters ?? []) parameters.count(part);
    for (const part of Object.values(operation.responses)) responses.count(part);
  }
  return {
    paths: mapValues(paths, (item) =>
      mapValues(item, (member) => (isOperation(member) ? written(member) : member)),
    ),
    shared: { parameters: parameters.shared, responses: responses.shared },
  };
}

class Sharer<T extends object> {
  readonly shared: Record<string, T> = {};
  /** How often each part occurs, by its text. */
  readonly #counts = new Map<string, number>();
  readonly #names = new Map<string, string>();
  readonly #group: keyof Shared;

  constructor(group: keyof Shared) {
    this.#group = group;
  }

  count(part: object): void {
    const text = JSON.stringify(part);
    this.#counts.set(text, (this.#counts.get(text) ?? 0) + 1);
  }

  /** A reference, if the part was counted more than once. */
  written(part: T | ReferenceObject, base: string): T | ReferenceObject {
    const text = JSON.stringify(part);
    if ('$ref' in part || (this.#counts.get(text) ?? 0) < 2) return part;
    const name = this.#names.get(text) ?? this.#add(text, part, pascal(base));
    return { $ref: `#/components/${this.#group}/${name}` };
  }

  #add(text: string, part: T, base: string): string {
    let name = base;
    for (let n = 2; name in this.shared; n++) name = `${base}${n}`;
    this.#names.set(text, name);
    this.shared[name] = part;
    return name;
  }
}

function isOperation(member: unknown): member is OperationObject {
  return typeof member === 'object' && member !== null && 'responses' in member;
}

function nameOf(part: ParameterObject | ReferenceObject): string {
  return 'name' in part ? part.name : '';
}

function mapValues<T extends object>(
  values: T,
  map: (value: T[keyof T], name: string) => unknown,
): T {
  const mapped = Object.entries(values).map(([name, value]) => [name, map(value, name)]);
  return Object.fromEntries(mapped) as T;
}

function pascal(name: string): string {
  return name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`)
    .join('');
}
