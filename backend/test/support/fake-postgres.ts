import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** What a server says to a command or a statement; null where it says nothing, ever. */
export type Reply = 'refused' | null;

/** A server that speaks PostgreSQL's protocol (version 3.0) as a test wants it, which the real one cannot be asked to. */
export interface FakePostgres {
  url: string;
  /** What arrived so far: commands, and statements as they are parsed. */
  heard: string[];
  /** How many connections there are. */
  open(): number;
  /** Breaks every connection there is. */
  hangUp(): void;
  stop(): Promise<void>;
}

/** @param answer what to reply to something that was asked, maybe later */
export async function startFakePostgres(answer: (asked: string) => Reply | Promise<Reply>): Promise<FakePostgres> {
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
      // In the order that they were asked in.
      answered = answered.then(async () => {
        if ((await replying) === 'refused' && socket.writable) socket.write(Buffer.concat([REFUSAL, READY]));
      });
    };
    socket.on('data', (bytes) => {
      waiting = Buffer.concat([waiting, bytes]);
      for (;;) {
        // The first message alone has no letter before its length.
        const start = isGreeted ? 1 : 0;
        if (waiting.length < start + 4) return;
        const end = start + waiting.readInt32BE(start);
        if (waiting.length < end) return;
        const [kind, body] = [String.fromCharCode(waiting[0] as number), waiting.subarray(start + 4, end)];
        waiting = waiting.subarray(end);
        if (!isGreeted) {
          isGreeted = true;
          socket.write(Buffer.concat([WELCOME, READY]));
        } else if (kind === 'Q' || kind === 'P') {
          // A command, or the name of a statement and its text.
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

/** No password is asked for. */
const WELCOME = message('R', Buffer.alloc(4));
const READY = message('Z', Buffer.from('I'));
const REFUSAL = message('E', Buffer.from('SERROR\0C54000\0Mrefused on purpose\0\0'));
