import { HEADER } from '@terse/contract/http-headers';
import { ShortUrl } from '@terse/contract/shorten';
import * as z from 'zod/mini';
import { FETCH_DEFAULTS, readJson } from '../http-client.ts';
import type { Destination, Fetch, LookedUp } from '../service-adapter.ts';

const LOOK_UP_TIMEOUT_MS = 10_000;

/** The fields of a link that tell if it belongs to the request. */
const Answer = z.object({ shortCode: z.string(), shortUrl: ShortUrl, url: z.string() });

/**
 * Reads the links that have these short codes. Reads cost no quota. Never throws.
 *
 * @param codes short code of each request, by the request's id
 */
export async function lookUp(
  fetch: Fetch,
  { baseUrl, apiKey }: Destination,
  codes: Map<string, string>,
): Promise<Map<string, LookedUp>> {
  const readLink = async (code: string): Promise<LookedUp> => {
    const response = await fetch(`${baseUrl}/api/v1/urls/${encodeURIComponent(code)}`, {
      ...FETCH_DEFAULTS,
      headers: { Accept: 'application/json', [HEADER.authorization]: `Bearer ${apiKey}` },
      signal: AbortSignal.timeout(LOOK_UP_TIMEOUT_MS),
    });
    const link = Answer.safeParse(await readJson(response));
    return response.ok && link.success && link.data.shortCode === code ? link.data : null;
  };
  const found = [...codes].map(async ([id, code]) => [id, await readLink(code).catch(() => null)] as const);
  return new Map(await Promise.all(found));
}
