import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Listening {
  port: number;
  /** Origin of the server on loopback, which browsers treat as a secure context. */
  origin: string;
  close(): Promise<void>;
}

/** Lets a server listen on a free port of the loopback interface. */
export async function listen(server: Server): Promise<Listening> {
  // By default, Node closes an idle connection after five seconds. A request that a browser sends on it just then fails.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
