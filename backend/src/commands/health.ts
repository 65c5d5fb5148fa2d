import type { Config, ListenAddress } from '../config/config.ts';
import { StoreError } from '../store/store.ts';

/**
 * Asks the service that runs with the same settings whether it takes requests.
 *
 * @throws StoreError with a sentence where it does not
 */
export async function checkHealth({ listen }: Pick<Config, 'listen'>): Promise<void> {
  const address = `${localAddress(listen)}/readyz`;
  const answer = await fetch(address, { signal: AbortSignal.timeout(4000) }).catch(() => null);
  if (!answer) throw new StoreError(`Nothing answers at ${address}.`);
  if (!answer.ok) throw new StoreError(`${address} answers ${answer.status}.`);
}

/** A listener on every interface is asked on this machine's own. */
function localAddress({ host, port }: ListenAddress): string {
  if (host === '0.0.0.0') return `http://127.0.0.1:${port}`;
  if (host === '::') return `http://[::1]:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
