import type { CreateRequest, NewLink } from './service-adapter.ts';

/** Returns the links in a stored create request. `body` has the same JSON format for all kinds of servers. */
export function linksOf({ body, idempotencyKey }: Pick<CreateRequest, 'body' | 'idempotencyKey'>): NewLink[] {
  const { urls, ...link }: Omit<NewLink, 'idempotencyKey'> & { urls?: NewLink[] } = JSON.parse(body);
  return urls ?? [{ ...link, idempotencyKey }];
}
