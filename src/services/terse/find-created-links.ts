import { ShortUrl } from '@terse/contract/shorten';
import * as z from 'zod/mini';
import type { Destination, Fetch, LookedUp } from '../service-adapter.ts';
import { linkPath, send } from './links-api.ts';

const Answer = z.object({ shortCode: z.string(), shortUrl: ShortUrl, url: z.string() });

/**
 * Reads the links with these short codes. Reading costs no quota. Never throws.
 *
 * @param codes short code of each request, by request id
 */
export async function lookUp(
  fetch: Fetch,
  { baseUrl, apiKey }: Destination,
  codes: Map<string, string>,
): Promise<Map<string, LookedUp>> {
  const readLink = async (code: string): Promise<LookedUp> => {
    const { status, body } = await send({ fetch, baseUrl, apiKey }, 'GET', linkPath('urls', code));
    const link = Answer.safeParse(body);
    const isSuccess = status >= 200 && status < 300;
    return isSuccess && link.success && link.data.shortCode === code ? link.data : null;
  };
  const found = [...codes].map(async ([id, code]) => [id, await readLink(code)] as const);
  return new Map(await Promise.all(found));
}
