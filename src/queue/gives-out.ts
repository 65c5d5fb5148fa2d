import type { Queue } from './types.ts';

/**
 * What every short URL begins with that a connection gives out: the short base address that its service has named, or else the
 * host that the person has entered the key for. Null: it has no key, so nothing but a file tells of it.
 */
export function givesOutBelow({ connection, state }: Pick<Queue, 'connection' | 'state'>): string | null {
  const { service, baseUrl } = connection;
  const below = service ? service.shortBaseUrl : new URL(baseUrl).origin;
  return state.halt === 'key_missing' ? null : below.replace(/\/*$/, '/');
}
