import { type AddressInfo, createServer, type Socket } from 'node:net';

/** Answers on a connection once it has a request. */
export type Conversation = (socket: Socket, request: string) => void;

/** A raw TCP server on 127.0.0.1; each host name has a conversation. */
export async function startRawServer() {
  const conversations = new Map<string, Conversation>();
  const sockets = new Set<Socket>();
  const requests: string[] = [];
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    socket.once('data', (bytes) => {
      const request = bytes.toString('latin1');
      requests.push(request);
      const [, host = ''] = /^host: ([^\r:]*)/im.exec(request) ?? [];
      conversations.get(host)?.(socket, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: { address: '127.0.0.1', port },
    requests,
    /** Open connections. */
    sockets,
    on: (host: string, conversation: Conversation) => conversations.set(host, conversation),
    stop: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

export type RawServer = Awaited<ReturnType<typeof startRawServer>>;

/** Writes the same text until the connection is closed; `everyMs`: slowly. */
export function endless(text: string | Buffer, everyMs?: number): (socket: Socket) => void {
  return (socket) => {
    const write = (): void => {
      if (socket.destroyed) return;
      const isFlushed = socket.write(text);
      if (everyMs !== undefined) setTimeout(write, everyMs).unref();
      else if (isFlushed) setImmediate(write);
      else socket.once('drain', write);
    };
    write();
  };
}
