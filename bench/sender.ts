import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { codeAt } from './database.ts';
import { percentile } from './figures.ts';
import { CONNECTIONS, VISITORS } from './load.ts';

// Reads a `Sending` from standard input, sends its HTTP requests at a fixed rate and prints a `Sent`.
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

/** Result of a measurement. Latencies and delays are in milliseconds. */
export interface Sent {
  rate: number;
  p50: number;
  p99: number;
  max: number;
  /**
   * 99th percentile of the delays that the sender itself caused. A delay starts when a request is due and a
   * connection is free. It ends when the request is sent.
   */
  late: number;
  failed: number;
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
const delays: number[] = [];
let sent = 0;
let done = 0;
let failed = 0;
let lastResponse = 0;

interface Connection {
  socket: Socket;
  scheduledAt: number;
  number: number;
  freeSince: number;
}

const free: Connection[] = [];

function receive(connection: Connection, text: string): void {
  const status = statusOf(text);
  if (status === null) throw new Error(`A response came in pieces: ${text}`);
  const now = performance.now();
  latencies[connection.number] = now - connection.scheduledAt;
  if (status >= 400) failed += 1;
  connection.freeSince = now;
  lastResponse = now;
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
  const connection = { socket, scheduledAt: 0, number: 0, freeSince: 0 };
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
  const now = performance.now();
  const due = Math.min(total, Math.ceil(((now - start) * rate) / 1000));
  while (sent < due && free.length > 0) {
    const connection = free.shift() as Connection;
    connection.number = sent;
    connection.scheduledAt = start + (sent * 1000) / rate;
    if (sent >= skipped) delays.push(now - Math.max(connection.scheduledAt, connection.freeSince));
    connection.socket.write(make(), 'latin1');
    sent += 1;
  }
  if (done < total) setImmediate(turn);
  else finish();
}

function finish(): void {
  const measured = latencies.subarray(skipped);
  const result: Sent = {
    rate: (1000 * total) / (lastResponse - start),
    p50: percentile(measured, 50),
    p99: percentile(measured, 99),
    max: percentile(measured, 100),
    late: percentile(delays, 99),
    failed,
  };
  process.stdout.write(JSON.stringify(result));
  process.exit();
}

turn();
