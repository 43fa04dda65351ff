import type { Manifest } from './render.ts';

/** A class of kubernetes-models; `validate` checks `this` by the published schema. */
interface Model {
  readonly prototype: { readonly validate: (this: unknown) => void };
}

const PACKAGES: Readonly<Record<string, string>> = {
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
  'external-secrets.io': '@kubernetes-models/external-secrets',
};

/**
 * The errors of an object by its published schema: wrong values and unknown fields. A kind
 * without a schema is an error.
 */
export async function errorsOf(manifest: Manifest): Promise<readonly string[]> {
  const { apiVersion, kind, metadata } = manifest;
  const [group = ''] = apiVersion.split('/');
  const path = `${PACKAGES[group] ?? 'kubernetes-models'}/${apiVersion}/${kind}`;
  const { watched, unread } = watch(unfolded(manifest), '');
  const errors: string[] = [];
  try {
    const loaded = (await import(path)) as Readonly<Record<string, Model>>;
    const model = loaded[kind];
    if (model === undefined) throw new Error(`${path} has no schema`);
    model.prototype.validate.call(watched);
    errors.push(...unread().map((field) => `${field}: unknown field`));
  } catch (error) {
    errors.push(error instanceof Error ? error.message : String(error));
  }
  return errors.map((error) => `${kind}/${metadata.name}: ${error}`);
}

// kustomize folds long Base64, which Kubernetes accepts and the schema does not.
function unfolded(manifest: Manifest): unknown {
  if (manifest.kind !== 'Secret') return manifest;
  return JSON.parse(JSON.stringify(manifest).replaceAll('\\n', ''));
}

/**
 * A copy of `value` that records which fields are read. The compiled schemas allow further fields, but
 * read every field that they know: a field that is not read is unknown.
 */
function watch(value: unknown, path: string): { watched: unknown; unread: () => string[] } {
  if (value === null || typeof value !== 'object') return { watched: value, unread: () => [] };
  const read = new Set<PropertyKey>();
  const children = new Map(
    Object.entries(value).map(([key, child]) => [key, watch(child, `${path}/${key}`)] as const),
  );
  const target: object = Array.isArray(value) ? [...value] : { ...value };
  const watched = new Proxy(target, {
    get(object, key) {
      read.add(key);
      const child = typeof key === 'string' ? children.get(key) : undefined;
      return child === undefined ? Reflect.get(object, key) : child.watched;
    },
  });
  const unread = () =>
    [...children].flatMap(([key, child]) => (read.has(key) ? child.unread() : [`${path}/${key}`]));
  return { watched, unread };
}
