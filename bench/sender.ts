import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { codeAt } from './database.ts';
import { percentile } from './figures.ts';
import { CONNECTIONS, VISITORS } from './load.ts';

// Reads a `Sending` from standard input, sends its HTTP requests at a fixed rate, and prints the 99th percentile of
// their latencies in milliseconds.
//
// The latency of a request is measured from its scheduled time. If the server stalls, the latencies of the following
// requests therefore include their waiting time. wrk and autocannon do not measure this waiting time. Each of their
// connections waits for a response before it sends the next request. A stall therefore delays only one measured
// request per connection.

export interface Sending {
  port: number;
  /** Requests per second. */
  rate: number;
  /** Seconds of load before the measurement. */
  lead: number;
  /** Length of the measurement in seconds. */
  seconds: number;
  /** Number of links that are visited in random order. */
  links: number;
}

function makeVisit(links: number): () => string {
  const rest = Array.from({ length: 12 }, (_, at) => {
    const referrer = at % 4 > 0 ? `Referer: ${VISITORS.referrers[at % 3]}\r\n` : '';
    const agent = `User-Agent: ${VISITORS.agents[at % 4]}\r\nAccept: text/html\r\nAccept-Language: en\r\n`;
    return ` HTTP/1.1\r\nHost: 127.0.0.1\r\n${agent}${referrer}\r\n`;
  });
  let at = 0;
  return () => {
    at += 1;
    return `GET /${codeAt(Math.floor(Math.random() * links))}${rest[at % 12]}`;
  };
}

/** Returns the status of a complete HTTP response, or null if the response is incomplete. */
function statusOf(text: string): number | null {
  const head = text.indexOf('\r\n\r\n');
  if (head === -1) return null;
  const [, length] = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, head)) ?? [];
  if (length === undefined) throw new Error(`A response has no length: ${text.slice(0, head)}`);
  return text.length >= head + 4 + Number(length) ? Number(text.slice(9, 12)) : null;
}

const { port, rate, lead, seconds, links }: Sending = JSON.parse(readFileSync(0, 'utf8'));
const make = makeVisit(links);
const skipped = Math.round(rate * lead);
const total = skipped + Math.round(rate * seconds);
const latencies = new Float64Array(total);
let sent = 0;
let done = 0;

interface Connection {
  socket: Socket;
  scheduledAt: number;
  number: number;
}

const free: Connection[] = [];

function receive(connection: Connection, text: string): void {
  const status = statusOf(text);
  if (status === null) throw new Error(`A response came in pieces: ${text}`);
  latencies[connection.number] = performance.now() - connection.scheduledAt;
  if (status >= 400) throw new Error(`The server answered with ${status}.`);
  done += 1;
  free.push(connection);
}

async function open(): Promise<Connection> {
  const onread = {
    buffer: Buffer.alloc(65_536),
    callback: (length: number, buffer: Uint8Array) => {
      receive(connection, (buffer as Buffer).toString('latin1', 0, length));
      return true;
    },
  };
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, onread });
  const connection = { socket, scheduledAt: 0, number: 0 };
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  socket.on('close', () => {
    throw new Error('The server closed a connection.');
  });
  return connection;
}

free.push(...(await Promise.all(Array.from({ length: CONNECTIONS }, open))));
const start = performance.now() + 10;

/** Sends the requests that are due. Runs in a busy loop, because timers would be up to a millisecond late. */
function turn(): void {
  const due = Math.min(total, Math.ceil(((performance.now() - start) * rate) / 1000));
  while (sent < due && free.length > 0) {
    const connection = free.shift() as Connection;
    connection.number = sent;
    connection.scheduledAt = start + (sent * 1000) / rate;
    connection.socket.write(make(), 'latin1');
    sent += 1;
  }
  if (done < total) setImmediate(turn);
  else finish();
}

function finish(): void {
  process.stdout.write(String(percentile(latencies.subarray(skipped), 99)));
  process.exit();
}

turn();
