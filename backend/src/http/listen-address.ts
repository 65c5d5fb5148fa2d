/** Where a listener waits for connections. */
export interface ListenAddress {
  host: string;
  /** 0 lets the system choose a free one. */
  port: number;
}

/** Where the API answers unless the settings say otherwise. */
export const STANDARD_LISTEN = '127.0.0.1:8787';

/** Reads HOST:PORT, such as 127.0.0.1:8787 or [::1]:8787; null where a text is none. */
export function parseListenAddress(text: string): ListenAddress | null {
  const [, ipv6, host, port] = /^(?:\[([0-9a-fA-F:.]+)\]|([^\s:[\]]+)):(\d{1,5})$/.exec(text) ?? [];
  const name = ipv6 ?? host;
  return name && Number(port) <= 65_535 ? { host: name, port: Number(port) } : null;
}

/** The origin under which this machine reaches a listener; one on every interface is asked on the machine's own. */
export function localOrigin({ host, port }: ListenAddress): string {
  if (host === '0.0.0.0') return `http://127.0.0.1:${port}`;
  if (host === '::') return `http://[::1]:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
