import { ClickHouseEngine, type ClickHouseEngineOptions } from '@vcds/clickhouse-engine';
import type { DimensionId, EntityId, IndexedId } from '@vcds/venture-model';
import { FACET_SCHEMA } from '../facet-tables/schema.ts';

type Options = Omit<ClickHouseEngineOptions<EntityId, IndexedId>, 'schema'>;

/** The engine over the copy of the facet index in ClickHouse. */
export function openClickHouseEngine(
  options: Options,
): ClickHouseEngine<EntityId, DimensionId, IndexedId> {
  return new ClickHouseEngine({ ...options, schema: FACET_SCHEMA });
}
