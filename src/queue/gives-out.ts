import type { Connection } from './types.ts';

/** Whether a short URL is below the short base address that a connection's service has named. */
export function givesOut({ service }: Connection, shortUrl: string): boolean {
  return service !== null && shortUrl.startsWith(service.shortBaseUrl.replace(/\/*$/, '/'));
}
