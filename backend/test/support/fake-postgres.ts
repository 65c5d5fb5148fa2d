import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** Response of the server. Null if the server never responds. */
export type Reply = 'refused' | 'done' | null;

/** A fake server for PostgreSQL's protocol 3.0. The test decides its responses. */
export interface FakePostgres {
  url: string;
  heard: string[];
  open(): number;
  /** Closes all connections abruptly. */
  hangUp(): void;
  stop(): Promise<void>;
}

/**
 * Starts the server.
 *
 * @param answer returns the response, immediately or later
 * @param endsAtOnce true if each connection ends with an error in the packet that accepts it
 */
export async function startFakePostgres(
  answer: (asked: string) => Reply | Promise<Reply>,
  endsAtOnce = false,
): Promise<FakePostgres> {
  const sockets = new Set<Socket>();
  const heard: string[] = [];
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    let waiting = Buffer.alloc(0);
    let isGreeted = false;
    let asked = '';
    let answered = Promise.resolve();
    const reply = (to: string) => {
      const replying = Promise.resolve(answer(to));
      // The server responds in the order of the requests.
      answered = answered.then(async () => {
        const reply = await replying;
        if (reply && socket.writable) socket.write(Buffer.concat([reply === 'done' ? DONE : REFUSAL, READY]));
      });
    };
    socket.on('data', (bytes) => {
      waiting = Buffer.concat([waiting, bytes]);
      for (;;) {
        // Only the first message has no type byte before its length.
        const start = isGreeted ? 1 : 0;
        if (waiting.length < start + 4) return;
        const end = start + waiting.readInt32BE(start);
        if (waiting.length < end) return;
        const [kind, body] = [String.fromCharCode(waiting[0] as number), waiting.subarray(start + 4, end)];
        waiting = waiting.subarray(end);
        if (!isGreeted) {
          isGreeted = true;
          if (endsAtOnce) socket.end(Buffer.concat([WELCOME, READY, SHUTDOWN]));
          else socket.write(Buffer.concat([WELCOME, READY]));
        } else if (kind === 'Q' || kind === 'P') {
          // Text of a command, or name and text of a statement.
          asked = body.toString().split('\0')[kind === 'Q' ? 0 : 1] as string;
          heard.push(asked);
          if (kind === 'Q') reply(asked);
        } else if (kind === 'S') {
          reply(asked);
        }
      }
    });
  });
  const hangUp = () => {
    for (const socket of sockets) socket.destroy();
  };
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `postgres://terse@127.0.0.1:${(server.address() as AddressInfo).port}/terse`,
    heard,
    open: () => sockets.size,
    hangUp,
    async stop() {
      hangUp();
      server.close();
      await once(server, 'close');
    },
  };
}

function message(kind: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(kind), length, body]);
}

/** Messages that accept the client without a password. */
const WELCOME = message('R', Buffer.alloc(4));
const READY = message('Z', Buffer.from('I'));
const DONE = message('C', Buffer.from('DONE\0'));
const REFUSAL = message('E', Buffer.from('SERROR\0C54000\0Mrefused on purpose\0\0'));
const SHUTDOWN = message('E', Buffer.from('SFATAL\0C57P01\0Mterminating connection\0\0'));
