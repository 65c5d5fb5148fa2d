import { Socket as DatagramSocket } from 'node:dgram';
import dns from 'node:dns';
import { appendFileSync } from 'node:fs';
import { Socket } from 'node:net';

/**
 * Module that is loaded before a program and in each of its threads. It writes a line for each opened connection,
 * sent datagram and DNS lookup.
 * All of Node's clients use the wrapped functions, including `fetch` and TLS.
 */
const file = process.env.RECORD_OUTBOUND ?? '';
const note = (what: string, values: unknown[]) => appendFileSync(file, `${what} ${JSON.stringify(values[0])}\n`);

type Methods = Record<string, (...values: unknown[]) => unknown>;

function watch(object: object, names: string[], what: string): void {
  const methods = object as Methods;
  for (const name of names) {
    const original = methods[name];
    if (!original) continue;
    methods[name] = function (this: unknown, ...values: unknown[]) {
      note(what, values);
      return original.apply(this, values);
    };
  }
}

watch(Socket.prototype, ['connect'], 'connect');
watch(DatagramSocket.prototype, ['send', 'connect'], 'datagram');
const resolvers = Object.keys(dns).filter((name) => /^(lookup|resolve|reverse)/.test(name));
watch(dns, resolvers, 'name');
watch(dns.promises, resolvers, 'name');
watch(dns.Resolver.prototype, resolvers, 'name');
