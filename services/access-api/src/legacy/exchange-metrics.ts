import { ApiError } from '@vcds/service-kit';
import { Counter, type Registry } from 'prom-client';
import type { Exchange } from './exchange.ts';

/** Counts exchanges by kind of credentials and outcome. */
export function countExchanges({ exchange }: Exchange, registry: Registry): Exchange {
  const exchanges = new Counter({
    name: 'vcds_token_exchanges_total',
    help: 'Exchanges of credentials for a token by kind of credentials and outcome.',
    labelNames: ['credentials', 'outcome'],
    registers: [registry],
  });
  return {
    exchange: async (credentials, client) => {
      const count = (outcome: string) => exchanges.inc({ credentials: credentials.kind, outcome });
      try {
        const token = await exchange(credentials, client);
        count('granted');
        return token;
      } catch (error) {
        count(error instanceof ApiError ? error.code : 'failed');
        throw error;
      }
    },
  };
}
