import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * A network on the loopback device that replaces the example's network. Each cluster gets its own. Only Linux
 * supports this.
 */
export interface Network {
  /** Returns the address for the last number of an address in 10.0.0.0/24. */
  machine(number: number): string;
  /** Returns the address that replaces a machine's 127.0.0.1. */
  inside(number: number): string;
}

export function newNetwork(): Network {
  const base = `127.${randomInt(1, 255)}.${randomInt(1, 255)}`;
  return { machine: (number) => `${base}.${number}`, inside: (number) => `${base}.${number + 100}` };
}

/** Ports that replace 80 and 443, which only root may open. */
export const PORTS = { http: 8080, https: 8443 };

export const exampleFile = (name: string) =>
  fileURLToPath(new URL(`../../../../deploy/cluster/${name}`, import.meta.url));

/** Returns a file of deploy/cluster with the addresses of one machine of the network. */
export function readExample(name: string, network: Network, number: number): string {
  const own = network.inside(number);
  return (
    readFileSync(exampleFile(name), 'utf8')
      // All connections over the loopback device have the same address.
      .replaceAll('10.0.0.0/24', '127.0.0.1/32')
      .replaceAll('127.0.0.1:', `${own}:`)
      .replaceAll(/(?<==\s*)127\.0\.0\.1$/gm, own)
      .replaceAll('host=127.0.0.1 ', `host=${own} `)
      .replaceAll(/10\.0\.0\.(\d+)/g, (_, machine) => network.machine(Number(machine)))
      .replaceAll(/bind :80$/gm, `bind ${own}:${PORTS.http}`)
      .replaceAll('bind :443 ', `bind ${own}:${PORTS.https} `)
  );
}
