/** A response as Swagger UI passes it on: header names are in lower case. */
export interface SwaggerResponse {
  readonly url: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

interface SwaggerRequest {
  readonly url: string;
  readonly headers: Record<string, string>;
}

/** The parts of React and Swagger UI that are used here; both come with the bundle. */
type Component = (props: Readonly<Record<string, unknown>>) => unknown;
interface System {
  readonly React: { createElement(type: unknown, props: unknown, ...children: unknown[]): unknown };
  getComponent(name: string, isContainer?: boolean): Component;
}
/** A collection of Immutable.js. */
interface Headers {
  filter(isWanted: (value: unknown, name: string) => boolean): Headers;
}
const OWN_HEADERS = /^(?:X-Request-Id|X-Credits-|X-RateLimit-|Link|Retry-After)/;
type Wrapper = (original: Component, system: System) => Component;

declare global {
  var SwaggerUIBundle: ((options: object) => void) | undefined;
}

/** Where a reference is shown, and what it calls with. */
export interface ReferenceOptions {
  readonly bundleUrl: string;
  /** URL of the OpenAPI description. */
  readonly description: string;
  readonly target: HTMLElement;
  readonly keyOf: () => string;
  readonly report: (response: SwaggerResponse) => void;
}

/** Makes text that scrolls reachable by keyboard. */
const scrolling: Wrapper = (original, { React }) => {
  const box = { className: 'scrolls', tabIndex: 0, role: 'group', 'aria-label': 'Text' };
  return (props) => React.createElement('div', box, React.createElement(original, props));
};
/** Leaves out the headers that every response of a web server has. */
const ownHeaders: Wrapper = (original, { React }) => {
  return ({ headers, ...props }) => {
    const own = (headers as Headers | undefined)?.filter((_, name) => OWN_HEADERS.test(name));
    return React.createElement(original, { ...props, headers: own });
  };
};
const hidden: Wrapper = () => () => null;

const plugin = (system: System) => ({
  components: {
    /** Only the operations: the page has the title, the key and the main landmark. */
    ReferenceLayout: () => {
      const show = (name: string) =>
        system.React.createElement(system.getComponent(name, true), {});
      return system.React.createElement(
        'div',
        { className: 'swagger-ui' },
        show('errors'),
        show('operations'),
      );
    },
  },
  wrapComponents: {
    authorizeOperationBtn: hidden,
    OperationServers: hidden,
    CopyToClipboardBtn: hidden,
    HighlightCode: scrolling,
    headers: ownHeaders,
  },
});

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly schema: { readonly type?: string; readonly default?: unknown };
}
/** The description for forms: nothing is sent unless the reader enters it, a list is one text. */
function prepared(description: string): unknown {
  return JSON.parse(description, (_, value) =>
    value?.in === 'query' && value.schema !== undefined ? asField(value) : value,
  );
}

function asField({ schema, description = '', ...parameter }: Parameter): Parameter {
  const { default: usual, ...rest } = schema;
  const isList = schema.type === 'array';
  const notes = [
    description,
    isList ? 'Separate several with commas.' : '',
    usual === undefined ? '' : `Default: \`${String(usual)}\`.`,
  ];
  return {
    ...{ name: parameter.name, in: parameter.in, required: parameter.required ?? false },
    description: notes.filter(Boolean).join(' '),
    schema: isList ? { type: 'string' } : rest,
  };
}

/** Names for screen readers, which Swagger UI leaves out. */
function nameControls(target: HTMLElement): void {
  for (const row of target.querySelectorAll<HTMLElement>('[data-param-name]')) {
    const name = row.dataset.paramName ?? '';
    for (const each of row.querySelectorAll('input, select, textarea')) each.ariaLabel = name;
  }
  for (const each of target.querySelectorAll('.examples-select-element'))
    each.ariaLabel = 'Example';
  for (const each of target.querySelectorAll('.body-param__text')) each.ariaLabel = 'Request body';
  for (const each of target.querySelectorAll('.responses-inner')) {
    Object.assign(each, { tabIndex: 0, role: 'group', ariaLabel: 'Responses' });
  }
  // A landmark for every table of responses would be too many.
  for (const each of target.querySelectorAll('.responses-table')) each.removeAttribute('role');
}

/** Loads the renderer and shows the description. @throws Error if either cannot be loaded. */
export async function startReference(options: ReferenceOptions): Promise<void> {
  const { bundleUrl, description, target, keyOf, report } = options;
  const [response] = await Promise.all([fetch(description), loadScript(bundleUrl)]);
  if (!response.ok) throw new Error(`The description is ${response.status}.`);
  new MutationObserver(() => nameControls(target)).observe(target, {
    childList: true,
    subtree: true,
  });
  globalThis.SwaggerUIBundle?.({
    spec: prepared(await response.text()),
    domNode: target,
    plugins: [plugin],
    layout: 'ReferenceLayout',
    docExpansion: 'list',
    defaultModelExpandDepth: 3,
    tryItOutEnabled: true,
    syntaxHighlight: false,
    validatorUrl: null,
    requestInterceptor: (request: SwaggerRequest) => {
      if (keyOf() !== '') request.headers['X-Api-Key'] = keyOf();
      return request;
    },
    responseInterceptor: (answer: SwaggerResponse) => {
      report(answer);
      return answer;
    },
  });
}

function loadScript(src: string): Promise<void> {
  if (globalThis.SwaggerUIBundle !== undefined) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    Object.assign(script, { src, onload: resolve, onerror: reject });
    document.head.append(script);
  });
}
