import { once } from 'node:events';
import { createServer, connect as dial, type Socket } from 'node:net';

/** A TCP proxy that loses answers. */
export interface LossyProxy {
  readonly port: number;
  /** How many answers were lost. */
  readonly dropped: number;
  /** Loses the next packet of answers too, and awaits `meanwhile` before it cuts the connection. */
  loseNext(meanwhile: () => Promise<unknown>): void;
  /** From now on everything arrives. */
  heal(): void;
  close(): Promise<void>;
}

/**
 * Forwards every request to a server, and instead of every `nth` packet of answers cuts the
 * connection: the server executed the command and the client never receives the reply.
 */
export async function lossyProxy(targetPort: number, nth: number): Promise<LossyProxy> {
  const sockets = new Set<Socket>();
  let packets = 0;
  let dropped = 0;
  let lossy = true;
  let next: (() => Promise<unknown>) | undefined;
  const server = createServer((client) => {
    const target = dial(targetPort, '127.0.0.1');
    const cut = (): void => {
      client.destroy();
      target.destroy();
    };
    for (const socket of [client, target]) {
      sockets.add(socket);
      socket.on('error', cut);
      socket.on('close', () => {
        sockets.delete(socket);
        cut();
      });
    }
    client.pipe(target);
    target.on('data', (packet) => {
      if (next !== undefined) {
        const meanwhile = next;
        next = undefined;
        dropped += 1;
        void meanwhile().finally(cut);
        return;
      }
      packets += 1;
      if (!lossy || packets % nth !== 0) {
        client.write(packet);
        return;
      }
      dropped += 1;
      cut();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no TCP address was given');
  return {
    port: address.port,
    get dropped() {
      return dropped;
    },
    loseNext: (meanwhile) => {
      next = meanwhile;
    },
    heal: () => {
      lossy = false;
    },
    close: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
