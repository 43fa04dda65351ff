import { EngineUnavailableError } from '@vcds/facet-engine';
import {
  ApiError,
  type Clock,
  type Route,
  type ServiceRouteOptions,
  serviceRoute,
} from '@vcds/service-kit';
import type { Response } from 'express';
import type { FacetMetrics } from '../categories/facet-metrics.ts';
import type { LoadedFacetEngine } from '../categories/facet-schema.ts';
import {
  decodeCountRequest,
  decodeFirstRequest,
  decodeRecordsRequest,
  type EngineRequest,
  encodeCounts,
  encodeFirst,
  FACET_SCHEMA_DIGEST,
  FACETS_COUNT_PATH,
  FACETS_FIRST_PATH,
  FACETS_PARTIES,
  FACETS_RECORDS_PATH,
  FACETS_STATE_PATH,
  type FacetProcessState,
} from '../categories/remote-engine/protocol.ts';

/** Above the values that the URL of a call can contain, and those that its patterns match. */
const BODY_BYTES_MAX = 256 * 1024;

interface FacetRoutesOptions {
  readonly engine: LoadedFacetEngine;
  readonly metrics: FacetMetrics;
  readonly serviceTokenSecret: string;
  readonly clock: Clock;
}

/**
 * The port of the engine over HTTP, for data-api: its state, counts, and first records. 401 for an invalid service
 * token, 400 for an invalid query, 503 if the engine cannot count or the caller's facet schema differs.
 */
export function facetRoutes(options: FacetRoutesOptions): readonly Route[] {
  const { engine, metrics, serviceTokenSecret, clock } = options;
  const route = (path: string, respond: ServiceRouteOptions['respond']): Route =>
    serviceRoute({
      ...{ path, parties: FACETS_PARTIES, serviceTokenSecret, clock },
      bodyBytesMax: BODY_BYTES_MAX,
      respond,
    });
  const answered = async <Body>(count: () => Promise<Body>): Promise<Body> => {
    const startedMs = performance.now();
    const record = (outcome: 'answered' | 'failed') =>
      metrics.counted(engine.name, outcome, (performance.now() - startedMs) / 1000);
    try {
      const body = await count();
      record('answered');
      return body;
    } catch (error) {
      record('failed');
      throw error;
    }
  };
  return [
    route(FACETS_STATE_PATH, async () => {
      const { ready, rows, loadMs = null, lagMs = null } = engine.state();
      const state: FacetProcessState = { schema: FACET_SCHEMA_DIGEST, ready, rows, loadMs, lagMs };
      return state;
    }),
    route(FACETS_COUNT_PATH, async (body, response) => {
      const query = readQuery(body, decodeCountRequest);
      return answered(async () => {
        const counts = await untilGone(response, (signal) => engine.count(query, signal));
        return encodeCounts(counts);
      });
    }),
    route(FACETS_RECORDS_PATH, async (body, response) => {
      const query = readQuery(body, decodeRecordsRequest);
      return answered(() => untilGone(response, (signal) => engine.countRecords(query, signal)));
    }),
    route(FACETS_FIRST_PATH, async (body, response) => {
      const query = readQuery(body, decodeFirstRequest);
      return answered(async () =>
        encodeFirst(await untilGone(response, (signal) => engine.firstRecords(query, signal))),
      );
    }),
  ];
}

function readQuery<Query>(
  body: unknown,
  decode: (body: unknown) => EngineRequest<Query> | undefined,
): Query {
  const request = decode(body);
  if (request === undefined) {
    throw new ApiError('bad_parameter', 'The body must be a facet query.', { parameter: 'query' });
  }
  if (request.schema !== FACET_SCHEMA_DIGEST) {
    throw new ApiError('unavailable', "The caller's facet schema is that of another version.");
  }
  return request.query;
}

// A caller that stopped waiting closes its connection, which ends the count.
async function untilGone<Counted>(
  response: Response,
  count: (signal: AbortSignal) => Promise<Counted>,
): Promise<Counted> {
  const gone = new AbortController();
  const unavailable = (cause: unknown, message: string) =>
    new ApiError('unavailable', message, {}, { cause });
  response.once('close', () => gone.abort());
  try {
    return await count(gone.signal);
  } catch (error) {
    if (gone.signal.aborted) throw unavailable(error, 'The caller disconnected.');
    if (error instanceof EngineUnavailableError) throw unavailable(error, error.message);
    throw error;
  }
}
