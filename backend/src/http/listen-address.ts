export interface ListenAddress {
  host: string;
  /** If 0, the operating system chooses a free port. */
  port: number;
}

export const STANDARD_LISTEN = '127.0.0.1:8787';

/** Parses an address such as 127.0.0.1:8787 or [::1]:8787. Returns null if the address is invalid. */
export function parseListenAddress(text: string): ListenAddress | null {
  const [, ipv6, host, port] = /^(?:\[([0-9a-fA-F:.]+)\]|([^\s:[\]]+)):(\d{1,5})$/.exec(text) ?? [];
  const name = ipv6 ?? host;
  return name && URL.canParse(`http://${text}`) ? { host: name, port: Number(port) } : null;
}

/**
 * Returns the origin at which programs on this machine can reach a server. If the server listens on all interfaces,
 * the origin contains a loopback address.
 */
export function localOrigin({ host, port }: ListenAddress): string {
  const name = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return new URL(`http://${name.includes(':') ? `[${name}]` : name}:${port}`).origin;
}
