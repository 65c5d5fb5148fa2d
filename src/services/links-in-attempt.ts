import type { CreateRequest, NewLink } from './service-adapter.ts';

/**
 * Returns the links in a stored attempt. Its body always has the format of our API, even if the attempt is for
 * another kind of server.
 */
export function linksOf({ body, idempotencyKey }: Pick<CreateRequest, 'body' | 'idempotencyKey'>): NewLink[] {
  const { urls, ...link }: Omit<NewLink, 'idempotencyKey'> & { urls?: NewLink[] } = JSON.parse(body);
  return urls ?? [{ ...link, idempotencyKey }];
}
