// Tests docs/spec/operations.md 16.11.
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { beforeAll, expect, test } from '@jest/globals';
import { closedAfterAll, eventually, freePort, killServices, startProduct } from '@vcds/test-kit';

interface Span {
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const CALLER_SPAN = 'b7ad6b7169203331';
const MAIL_TRACE_ID = '5af7651916cd43dd8448eb211c80319d';
const KEY_TRACE_ID = '6af7651916cd43dd8448eb211c80319e';
const ADDRESS = 'traced-person@example.com';
const SEARCHED = 'Zanzibarfiltervalue';

/** A collector: OTLP over HTTP, as JSON. */
const bodies: string[] = [];
const collector = createServer(async (request, response) => {
  bodies.push(await text(request));
  response.setHeader('Content-Type', 'application/json').end('{}');
});
const port = await freePort();
await new Promise<void>((resolve) => {
  collector.listen(port, '127.0.0.1', resolve);
});
const product = await closedAfterAll(
  startProduct({
    programs: ['data-api', 'access-api', 'worker', 'data-worker'],
    environment: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
      OTEL_BSP_SCHEDULE_DELAY: '50',
      TRAIN_SCHEDULE: 'off',
      PREDICT_STAGES_SCHEDULE: '* * * * * *',
    },
  }),
);
await closedAfterAll({ close: killServices });
await closedAfterAll({ close: () => void collector.close() });
const [account] = await product.issue({ plan: 'growth', keys: [{}] });
const key = account?.keys[0]?.apiKey ?? '';

function spans(): readonly Span[] {
  return bodies.flatMap((body) => {
    const { resourceSpans = [] } = JSON.parse(body);
    return resourceSpans.flatMap(({ resource, scopeSpans }: Resource) =>
      scopeSpans.flatMap(({ spans }) =>
        spans.map((span) => ({
          ...span,
          service: String(valuesOf(resource.attributes)['service.name']),
          attributes: valuesOf(span.attributes),
        })),
      ),
    );
  }) as Span[];
}

const spansOf = (traceId: string) => spans().filter((span) => span.traceId === traceId);

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}
interface Resource {
  readonly resource: { readonly attributes: readonly Attribute[] };
  readonly scopeSpans: readonly {
    readonly spans: readonly (Omit<Span, 'attributes'> & {
      readonly attributes: readonly Attribute[];
    })[];
  }[];
}

function valuesOf(attributes: readonly Attribute[]): Record<string, unknown> {
  return Object.fromEntries(
    attributes.map(({ key: name, value }) => [name, Object.values(value)[0]]),
  );
}

/** The path of names from the edge to each span. */
function pathsOf(spans: readonly Span[]): readonly string[] {
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const pathOf = (span: Span): string => {
    const parent = byId.get(span.parentSpanId ?? '');
    const name = `${span.service}:${span.name}`;
    return parent === undefined ? name : `${pathOf(parent)} > ${name}`;
  };
  return spans.map(pathOf);
}

function post(path: string, body: object, traceId: string): Promise<Response> {
  return fetch(`${product.accessUrl}/api/v1/auth/${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: {
      'Content-Type': 'application/json',
      traceparent: `00-${traceId}-${CALLER_SPAN}-01`,
    },
  });
}

beforeAll(async () => {
  const url = `${product.dataUrl}/v2/startups?$filter=${encodeURIComponent(`Name eq '${SEARCHED}'`)}`;
  const response = await fetch(url, {
    headers: {
      'X-Api-Key': key,
      'X-Request-Id': 'a-request-that-is-traced',
      traceparent: `00-${TRACE_ID}-${CALLER_SPAN}-01`,
      baggage: 'secret=of-the-caller',
    },
  });
  expect(response.status).toBe(200);
  const registered = await post('register', { email: ADDRESS }, MAIL_TRACE_ID);
  expect(registered.status).toBe(202);
});

test('a call is one trace, from the edge to statements, Redis and access-api', async () => {
  const edge = 'data-api:GET /v2/startups';
  const check = `${edge} > data-api:openCall > data-api:POST /internal/v1/keys/check`;
  const spans = await eventually(() => {
    const received = spansOf(TRACE_ID);
    expect(pathsOf(received)).toEqual(
      expect.arrayContaining([
        edge,
        ...['entitle', 'parse', 'plan', 'priceOf', 'resolve', 'replyTo', 'send'].map(
          (step) => `${edge} > data-api:${step}`,
        ),
        `${edge} > data-api:reserve > data-api:EVALSHA`,
        `${edge} > data-api:execute > data-api:SELECT`,
        `${edge} > data-api:settle > data-api:EVALSHA`,
        `${check} > access-api:POST /internal/v1/keys/check`,
      ]),
    );
    return received;
  });
  expect(pathsOf(spans).filter((path) => !path.startsWith(edge))).toEqual([]);
  const root = spans.find(({ name }) => name === 'GET /v2/startups');
  expect(root).toMatchObject({ parentSpanId: CALLER_SPAN });
  expect(root?.attributes).toMatchObject({
    'http.route': '/v2/startups',
    'vcds.request_id': 'a-request-that-is-traced',
  });
  const statement = spans.find(({ name }) => name === 'SELECT');
  expect(statement?.attributes['db.query.text']).toMatch(/\$1/);
  const line = await eventually(() => {
    const lines = product.output().split('\n');
    return lines.find((each) => each.includes('"requestId":"a-request-that-is-traced"')) ?? false;
  });
  expect(JSON.parse(line)).toMatchObject({ trace_id: TRACE_ID, span_id: root?.spanId });
});

test('the mail of a registration belongs to its trace, and no trace has a secret', async () => {
  const { text: message } = await product.mailTo(ADDRESS);
  await eventually(() => {
    expect(pathsOf(spansOf(MAIL_TRACE_ID))).toContainEqual(
      expect.stringMatching(/^access-api:POST \/api\/v1\/auth\/register > .*worker:send mail$/),
    );
  });
  const [code = 'none'] = /\b\d{6}\b/.exec(message) ?? [];
  expect(code).not.toBe('none');
  expect((await post('verify', { email: ADDRESS, code }, KEY_TRACE_ID)).status).toBe(200);
  await eventually(() => {
    expect(pathsOf(spansOf(KEY_TRACE_ID))).toContainEqual(
      expect.stringMatching(
        /^access-api:POST \/api\/v1\/auth\/verify > .*access-api:create Account$/,
      ),
    );
  });
  const sent = bodies.join('\n');
  for (const secret of [key, key.slice(8), ADDRESS, SEARCHED, 'of-the-caller', `"${code}"`]) {
    expect(sent).not.toContain(secret);
  }
  expect(sent).toContain('deployment.environment.name');
});

test('a run of a job of the data worker is a span', async () => {
  await eventually(() => {
    expect(pathsOf(spans())).toContain('data-worker:job predict-stages');
  });
});
