import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A network on the loopback device that stands for the one of the example, where no two clusters meet. Linux alone has it. */
export interface Network {
  /** The machine that has this last number in the example's network 10.0.0.0/24. */
  machine(number: number): string;
  /** Where a machine's own programs meet, as on its 127.0.0.1. */
  inside(number: number): string;
}

export function newNetwork(): Network {
  const base = `127.${randomInt(1, 255)}.${randomInt(1, 255)}`;
  return { machine: (number) => `${base}.${number}`, inside: (number) => `${base}.${number + 100}` };
}

/** The ports for everybody, which only root may open, and those that stand for them. */
export const PORTS = { http: 8080, https: 8443 };

export const exampleFile = (name: string) =>
  fileURLToPath(new URL(`../../../../deploy/cluster/${name}`, import.meta.url));

/** A file of deploy/cluster as it stands, but for its addresses: as one machine of the network has it. */
export function readExample(name: string, network: Network, number: number): string {
  const own = network.inside(number);
  return (
    readFileSync(exampleFile(name), 'utf8')
      // Whatever connects over the loopback device comes from one address.
      .replaceAll('10.0.0.0/24', '127.0.0.1/32')
      .replaceAll('127.0.0.1:', `${own}:`)
      .replaceAll(/(?<==\s*)127\.0\.0\.1$/gm, own)
      .replaceAll('host=127.0.0.1 ', `host=${own} `)
      .replaceAll(/10\.0\.0\.(\d+)/g, (_, machine) => network.machine(Number(machine)))
      .replaceAll(/bind :80$/gm, `bind ${own}:${PORTS.http}`)
      .replaceAll('bind :443 ', `bind ${own}:${PORTS.https} `)
  );
}
