import { createHttpServer } from './http-server.ts';
import { createInternalApp, type InternalAppOptions } from './internal-server.ts';
import { type Listener, type Service, type ServiceOptions, startService } from './service.ts';
import { createWorkGate, workLimits } from './work/work-gate.ts';

export interface InternalServiceOptions
  extends Omit<InternalAppOptions, 'isStopping'>,
    Pick<ServiceOptions, 'name' | 'resources'>,
    Pick<Listener, 'host' | 'port' | 'variable'> {}

/**
 * Starts a process that has only the internal listener, such as a worker.
 *
 * @throws ListenError if the port cannot be opened; the resources are closed then.
 */
export async function startInternalService(options: InternalServiceOptions): Promise<Service> {
  const { name, logger, resources = [], host, port, variable } = options;
  let service: Service | undefined;
  const gate = createWorkGate({ registry: options.metrics.registry, limits: workLimits(100) });
  const app = createInternalApp({
    ...options,
    gate,
    isStopping: () => service?.isStopping() ?? false,
  });
  const server = createHttpServer(app);
  service = await startService({
    name,
    logger,
    listeners: [{ name: 'internal', role: 'internal', server, host, port, variable }],
    resources,
  });
  return service;
}
