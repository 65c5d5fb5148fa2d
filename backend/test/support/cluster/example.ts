import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';

/**
 * Loopback addresses that replace the example's network. Each cluster has separate addresses. Only Linux supports
 * this.
 */
export interface Network {
  /** Returns the loopback address that replaces `10.0.0.<number>`. */
  machine(number: number): string;
  /** Returns the address that replaces `127.0.0.1` on a machine. */
  inside(number: number): string;
}

export function newNetwork(): Network {
  const base = `127.${randomInt(1, 255)}.${randomInt(1, 255)}`;
  return { machine: (number) => `${base}.${number}`, inside: (number) => `${base}.${number + 100}` };
}

/** Ports that replace 80 and 443, which only root may open. */
export const PORTS = { http: 8080, https: 8443 };

/** Reads a file of deploy/cluster and replaces its addresses with those of one machine. */
export function readExample(name: string, network: Network, number: number): string {
  const own = network.inside(number);
  return (
    readFileSync(new URL(`../../../../deploy/cluster/${name}`, import.meta.url), 'utf8')
      // All connections over the loopback device have the same address.
      .replaceAll('10.0.0.0/24', '127.0.0.1/32')
      .replaceAll('127.0.0.1:', `${own}:`)
      .replaceAll('<address>', network.machine(number))
      .replaceAll(/10\.0\.0\.(\d+)/g, (_, machine) => network.machine(Number(machine)))
      .replaceAll(/bind :80$/gm, `bind ${own}:${PORTS.http}`)
      .replaceAll('bind :443 ', `bind ${own}:${PORTS.https} `)
  );
}
